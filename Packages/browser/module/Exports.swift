import Placeholders

/// Allocates memory for the pixels of an image.
@_cdecl("reserve")
public func reserve(byteCount: Int) -> UnsafeMutablePointer<UInt8> {
  UnsafeMutablePointer<UInt8>.allocate(capacity: byteCount)
}

/// Returns a line for each kind: BlurHash and ThumbHash; the lines of kinds that are not in `kinds`, a set of bits, are
/// empty.
@_cdecl("hashes")
public func hashes(
  pixels: UnsafePointer<UInt8>, width: Int, height: Int, x: Int, y: Int, kinds: Int
) -> UnsafePointer<UInt8> {
  lines(
    of: grid(pixels, width, height), kinds,
    [{ "\(blurHash($0, x, y))" }, { "\(ThumbHash(encoding: $0))" }])
}

/// Like ``hashes``, followed by LQIP, tiny JPEG, CSS integer and the average color.
@_cdecl("all")
public func all(
  pixels: UnsafePointer<UInt8>, width: Int, height: Int, x: Int, y: Int, kinds: Int
) -> UnsafePointer<UInt8> {
  lines(
    of: grid(pixels, width, height), kinds,
    [
      { "\(blurHash($0, x, y))" }, { "\(ThumbHash(encoding: $0))" }, { "\(LQIP(encoding: $0))" },
      { "\(TinyJPEG(encoding: $0))" }, { "\(CSSInteger(encoding: $0))" }, { "\($0.averageColor)" },
    ])
}

private func blurHash(_ grid: PixelGrid, _ x: Int, _ y: Int) -> BlurHash {
  BlurHash(encoding: grid, components: .exactly(x: x, y: y))
}

/// Averages straight RGBA pixels.
private func grid(_ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int) -> PixelGrid {
  let samples = UnsafeBufferPointer(start: pixels, count: width * height * 4)
  guard
    let grid = try? PixelGrid(pixels: samples.span, width: width, height: height, format: .rgba)
  else { preconditionFailure("the image has no pixels") }
  return grid
}

/// Returns text that ends with a NUL.
private func lines(
  of grid: PixelGrid, _ kinds: Int, _ texts: [(PixelGrid) -> String]
) -> UnsafePointer<UInt8> {
  let chosen = texts.enumerated().map { kinds >> $0 & 1 == 1 ? $1(grid) : "" }
  let text = Array(chosen.joined(separator: "\n").utf8) + [0]
  let result = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
  result.initialize(from: text, count: text.count)
  return UnsafePointer(result)
}

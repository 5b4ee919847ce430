import Foundation

package import PlaceholderEncoding

/// A PNG decoder that shares no code with the library.
///
/// It supports 8-bit RGB and RGBA without interlacing, which the library also writes. Source: PNG, sections 5 and 9.
package struct PlainPNG {
  /// The error for a malformed or unsupported file.
  package struct Malformed: Error {}

  /// The content of the IHDR chunk.
  package let header: [UInt8]

  /// The types of all chunks, in order.
  package let chunkTypes: [String]
  private let imageData: [UInt8]

  /// Parses a file.
  package init(_ file: [UInt8]) throws {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw Malformed()
    }
    var chunks: [(type: String, content: [UInt8])] = []
    var position = 8
    while position < file.count {
      let count = Self.number(file[position..<position + 4])
      let content = position + 8..<position + 8 + count
      guard content.upperBound + 4 <= file.count else { throw Malformed() }
      chunks.append(
        (String(decoding: file[position + 4..<position + 8], as: UTF8.self), Array(file[content])))
      position = content.upperBound + 4
    }
    chunkTypes = chunks.map(\.type)
    guard let first = chunks.first, first.type == "IHDR" else { throw Malformed() }
    header = first.content
    imageData = chunks.filter { $0.type == "IDAT" }.flatMap(\.content)
  }

  /// Reads the pixels of a fixture.
  package static func bitmap(_ name: String) throws -> RGBABitmap {
    try PlainPNG(try Fixtures.bytes(name)).bitmap()
  }

  /// The width in pixels.
  package var width: Int { Self.number(header[0..<4]) }

  /// The height in pixels.
  package var height: Int { Self.number(header[4..<8]) }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The pixels of an RGB file.
  package func bitmap() throws -> RGBABitmap {
    guard format == .rgb else { throw Malformed() }
    return RGBABitmap(width: width, height: height, samples: try samples())
  }

  /// The pixel format; nil if it is not supported.
  package var format: PixelGrid.Format? {
    switch header[8...] {
    case [8, 2, 0, 0, 0]: .rgb
    case [8, 6, 0, 0, 0]: .rgba
    default: nil
    }
  }

  /// The samples of all pixels.
  package func samples() throws -> [UInt8] {
    guard let sampleCount = format?.sampleCount else { throw Malformed() }
    let byteCount = width * sampleCount
    let scanlines = try Self.inflated(imageData, count: height * (byteCount + 1))
    var above = Array(repeating: UInt8(0), count: byteCount)
    var samples: [UInt8] = []
    for y in 0..<height {
      let start = y * (byteCount + 1)
      above = Self.unfiltered(
        scanlines[start + 1...start + byteCount], filter: scanlines[start], above: above,
        sampleCount: sampleCount)
      samples += above
    }
    return samples
  }

  /// Inflates a stream with zlib, which libpng loads; the library itself inflates with ISA-L.
  private static func inflated(_ stream: [UInt8], count: Int) throws -> [UInt8] {
    typealias Uncompress =
      @convention(c) (
        UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>, UInt
      ) -> Int32
    #if os(Linux)
    let library = unsafe dlopen("libz.so.1", RTLD_NOW)
    #else
    let library = unsafe dlopen("libz.1.dylib", RTLD_NOW)
    #endif
    guard let symbol = unsafe dlsym(library, "uncompress") else { throw Malformed() }
    let uncompress = unsafe unsafeBitCast(symbol, to: Uncompress.self)
    var output = [UInt8](repeating: 0, count: count)
    var size = UInt(count)
    guard unsafe uncompress(&output, &size, stream, UInt(stream.count)) == 0, size == count else {
      throw Malformed()
    }
    return output
  }

  private static func unfiltered(
    _ scanline: ArraySlice<UInt8>, filter: UInt8, above: [UInt8], sampleCount: Int
  ) -> [UInt8] {
    var row: [UInt8] = []
    for (index, byte) in scanline.enumerated() {
      let left = index < sampleCount ? 0 : Int(row[index - sampleCount])
      let up = Int(above[index])
      let corner = index < sampleCount ? 0 : Int(above[index - sampleCount])
      let prediction =
        switch filter {
        case 1: left
        case 2: up
        case 3: (left + up) / 2
        case 4: paeth(left, up, corner)
        default: 0
        }
      row.append(byte &+ UInt8(prediction))
    }
    return row
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let estimate = left + up - corner
    let distances = [abs(estimate - left), abs(estimate - up), abs(estimate - corner)]
    if distances[0] <= distances[1] && distances[0] <= distances[2] { return left }
    return distances[1] <= distances[2] ? up : corner
  }
}

internal import CPlaceholderCodecs
internal import Placeholders

/// The owner of a C reader and its source, used by the readers of all formats.
@safe struct CodecReader: ~Copyable {
  /// The minimum length of the short side of a scaled image, in pixels.
  static let minimumShortSide = 256

  typealias Create = (OpaquePointer) -> OpaquePointer?
  typealias ReadHeader = (OpaquePointer, UnsafeMutablePointer<lqip_header>) -> Bool
  typealias Destroy = (OpaquePointer) -> Void

  private let source: ImageSource
  private let format: ImageFormat
  private let destroy: Destroy

  /// The C reader.
  let handle: OpaquePointer

  /// The size and channel count from the header.
  let header: lqip_header

  /// Creates a reader and reads the header.
  init(
    _ source: consuming ImageSource, _ format: ImageFormat, _ create: Create,
    _ readHeader: ReadHeader, _ destroy: @escaping Destroy
  ) throws(ImageDecodingError) {
    guard let handle = unsafe create(source.codec) else { throw .outOfMemory }
    var header = lqip_header()
    guard unsafe readHeader(handle, &header) else {
      unsafe destroy(handle)
      throw source.error(format: format)
    }
    self.source = source
    self.format = format
    unsafe self.destroy = destroy
    unsafe self.handle = handle
    self.header = header
  }

  deinit { unsafe destroy(handle) }

  /// The sample layout of the rows.
  var samples: SampleLayout {
    switch header.channels {
    case 1: .gray
    case 2: .grayAlpha
    case 3: .rgb
    default: format == .jpeg ? .cmyk : .rgba
    }
  }

  var warnings: [String] { source.warnings }

  /// The error of the last failed call.
  var failure: ImageDecodingError { source.error(format: format) }

  /// Throws ``failure`` if a call to the C reader has failed.
  func check(_ succeeded: Bool) throws(ImageDecodingError) {
    guard succeeded else { throw failure }
  }

  /// Calls `read` to write a row to the start of an array; throws ``failure`` if `read` returns false.
  func readRow(
    into row: inout [UInt8], _ read: (OpaquePointer, UnsafeMutablePointer<UInt8>) -> Bool
  ) throws(ImageDecodingError) {
    try check(
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return false }
        return unsafe read(handle, start)
      })
  }

  /// Returns the first divisor at which the short side has at least ``minimumShortSide`` pixels; 1 if there is none.
  func scale(among divisors: [Int]) -> Int {
    let shortSide = Int(min(header.width, header.height))
    return divisors.first { (shortSide + $0 - 1) / $0 >= Self.minimumShortSide } ?? 1
  }
}

extension lqip_bytes {
  /// Calls a function with the bytes, which the C reader owns.
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeBufferPointer(start: bytes, count: count)
    return try body(unsafe bytes.span)
  }

  /// The orientation that the bytes contain as Exif data; upright if there is none.
  var orientation: ImageOrientation { unsafe withSpan { ImageOrientation(exif: $0) } }

  /// Parses the bytes as an ICC profile; falls back to sRGB if they are empty or unusable.
  func profile(
    for samples: SampleLayout, warnings: inout [String]
  ) throws(ImageDecodingError) -> ColorProfile {
    try unsafe withSpan { icc throws(ImageDecodingError) in
      try ColorProfile(embedded: icc, layout: samples, warnings: &warnings)
    }
  }
}

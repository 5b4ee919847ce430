#if GIF

internal import CPlaceholderCodecs
internal import Placeholders

/// Reads the first frame of a GIF image, on its canvas.
@safe struct GIFReader: ImageReader, ~Copyable {
  private let source: ImageSource
  private let handle: OpaquePointer
  private let size: lqip_header

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    guard let handle = unsafe lqip_gif_reader_create(source.codec) else { throw .outOfMemory }
    var size = lqip_header()
    guard unsafe lqip_gif_reader_read_header(handle, &size) else {
      unsafe lqip_gif_reader_destroy(handle)
      throw source.error(format: .gif)
    }
    unsafe self.handle = handle
    self.size = size
    self.source = source
  }

  deinit { unsafe lqip_gif_reader_destroy(handle) }

  /// Whether there are more frames stands behind the rows.
  var header: ImageHeader {
    ImageHeader(
      format: .gif, width: Int(size.width), height: Int(size.height), orientation: .up,
      hasAlpha: samples.hasAlpha, isAnimated: unsafe lqip_gif_reader_frame_count(handle) > 1)
  }

  mutating func start(_ options: DecodeOptions) throws(ImageDecodingError) -> RowLayout {
    RowLayout(
      width: Int(size.width), height: Int(size.height), samples: samples, profile: .sRGB)
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPlace? {
    var y: UInt32 = 0
    var hasRow = false
    let succeeded = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return false }
      return unsafe lqip_gif_reader_read_row(handle, start, &y, &hasRow)
    }
    guard succeeded else { throw failure }
    return hasRow ? RowPlace(y: Int(y), count: Int(size.width)) : nil
  }

  /// The rest of the file was read for what stands there.
  mutating func verify() throws(ImageDecodingError) {}

  var warnings: [String] { source.warnings }

  var failure: ImageDecodingError { source.error(format: .gif) }

  private var samples: SampleLayout { size.channels == 4 ? .rgba : .rgb }
}

#endif

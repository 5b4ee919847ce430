#if GIF

internal import CPlaceholderCodecs
internal import Placeholders

/// A reader of the first frame of a GIF image on its canvas.
@safe struct GIFReader: ImageReader, ~Copyable {
  private let codec: CodecReader

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    codec = try unsafe CodecReader(
      source, .gif, lqip_gif_reader_create, lqip_gif_reader_read_header,
      lqip_gif_reader_destroy)
  }

  /// The properties of the image; the number of frames is final only after the last row.
  var header: ImageHeader {
    ImageHeader(
      format: .gif, width: Int(codec.header.width), height: Int(codec.header.height),
      orientation: .up, hasAlpha: codec.samples.hasAlpha, isAnimated: frameCount > 1,
      frameCount: frameCount > 1 ? frameCount : nil)
  }

  mutating func start(_ options: ImageDecoder.Options) throws(ImageDecodingError) -> RowLayout {
    RowLayout(
      width: Int(codec.header.width), height: Int(codec.header.height), samples: codec.samples,
      profile: .sRGB)
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPosition? {
    var y: UInt32 = 0
    var hasRow = false
    try unsafe codec.readRow(into: &row) { unsafe lqip_gif_reader_read_row($0, $1, &y, &hasRow) }
    return hasRow ? RowPosition(y: Int(y), count: Int(codec.header.width)) : nil
  }

  /// Does nothing, because ``readRow(into:)`` has verified the rest of the file after the last row.
  mutating func verify() throws(ImageDecodingError) {}

  var warnings: [String] { codec.warnings }

  var failure: ImageDecodingError { codec.failure }

  private var frameCount: Int {
    unsafe Int(lqip_gif_reader_frame_count(codec.handle))
  }
}

#endif

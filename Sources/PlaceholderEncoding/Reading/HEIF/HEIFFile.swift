internal import CPlaceholderCodecs

/// The bytes of a HEIC or AVIF file, read at any offset, and its outer boxes.
///
/// Source: ISO/IEC 14496-12, sections 4.2, 4.3 and 8.
struct HEIFFile: ~Copyable {
  private let source: ImageSource
  /// The format by the brand of the file, which errors name.
  let format: ImageFormat
  /// The content of the `meta` box, and its offset in the file.
  private let meta: (bytes: [UInt8], offset: Int)
  /// The number of frames; nil if the file is not a sequence.
  let frameCount: Int?

  /// The maximum number of boxes visited in the file and in its movie.
  private static let maximumBoxCount = 1024
  /// The maximum number of frames counted, as for other formats.
  private static let maximumFrameCount = 1 << 16

  init(_ source: consuming ImageSource, _ format: ImageFormat) throws(ImageDecodingError) {
    var walk = Walk()
    var meta: Range<Int>?
    var movie: Range<Int>?
    let beginning = try source.read(0..<ImageFormat.sniffedByteCount)[...]
    let brands = Set(beginning.span.brands)
    let isSequence = !brands.isDisjoint(with: ["avis", "msf1", "hevc", "hevx"])
    var offset = 0
    // What follows the items of a still image is not needed.
    while meta == nil || (isSequence && movie == nil) {
      guard let box = try walk.box(at: offset, in: 0..<Int.max, source, format) else { break }
      switch box.type {
      case "meta": meta = meta ?? box.content
      case "moov": movie = movie ?? box.content
      case "mini": throw .unsupported(format: format, reason: "images in a 'mini' box")
      default: break
      }
      offset = box.content.upperBound
    }
    guard let meta else {
      guard isSequence, let movie, try source.reaches(movie.upperBound) else {
        throw .truncated(format: format, reason: "no list of items")
      }
      throw .unsupported(format: format, reason: "a sequence without a primary item")
    }
    // Without a size, the list extends to the end of the file.
    let isOpen = meta.upperBound == Int.max
    let bytes = try source.read(meta.prefix(ItemTable.maximumByteCount + 1))
    guard bytes.count <= ItemTable.maximumByteCount else {
      throw .tooLarge(reason: "a list of items above \(ItemTable.maximumByteCount) bytes")
    }
    guard isOpen || bytes.count == meta.count else {
      throw .truncated(format: format, reason: "unexpected end of file")
    }
    frameCount = try movie.flatMap { movie throws(ImageDecodingError) in
      try walk.frameCount(of: movie, source, format)
    }
    self.meta = (bytes, meta.lowerBound)
    self.format = format
    self.source = source
  }

  /// The plan of the file.
  func plan() throws(ImageDecodingError) -> HEIFPlan {
    try reading { () throws(HEIFFailure) in
      let table = try ItemTable(meta.bytes, at: meta.offset)
      return try HEIFPlan(table) { extents throws(HEIFFailure) in
        guard extents.reduce(0, { $0 + $1.count }) <= 64 else {
          throw .corrupt("a grid of too many bytes")
        }
        do {
          return try read(extents)
        } catch {
          throw .truncated("unexpected end of file")
        }
      }
    }
  }

  /// Calls `body`, whose errors become those of the file.
  func reading<Result>(
    _ body: () throws(HEIFFailure) -> Result
  ) throws(ImageDecodingError) -> Result {
    do throws(HEIFFailure) {
      return try body()
    } catch {
      throw error.error(of: format)
    }
  }

  /// Reads the data of an item; throws if the file ends before.
  func read(_ extents: CodedPicture.Extents) throws(ImageDecodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    for extent in extents {
      let part = try source.read(extent)
      guard part.count == extent.count else {
        throw .truncated(format: format, reason: "unexpected end of file")
      }
      if bytes.isEmpty { bytes = part } else { bytes += part }
    }
    return bytes
  }

  /// Returns whether the file reaches to the end of the pictures' data, without reading the data.
  func hasEnd(of pictures: [CodedPicture]) throws(ImageDecodingError) -> Bool {
    try source.reaches(pictures.flatMap(\.tiles).joined().map(\.upperBound).max() ?? 0)
  }

  func checkDeadline() throws(ImageDecodingError) {
    guard unsafe lqip_codec_check_deadline(source.codec) else { throw source.error(format: format) }
  }

  /// A walk over boxes in the file, of which only headers are read.
  private struct Walk {
    private var boxCount = 0

    /// Reads the header of the box at an offset; nil at the end of the parent or of the file.
    mutating func box(
      at offset: Int, in parent: Range<Int>, _ source: borrowing ImageSource, _ format: ImageFormat
    ) throws(ImageDecodingError) -> Box? {
      guard parent.contains(offset) else { return nil }
      boxCount += 1
      guard boxCount <= HEIFFile.maximumBoxCount else {
        throw .tooLarge(reason: "more than \(HEIFFile.maximumBoxCount) boxes")
      }
      let bytes = try source.read(offset..<offset + min(16, parent.upperBound - offset))
      guard bytes.count >= 8 else { return nil }
      var reader = ByteReader(bytes)
      do throws(HEIFFailure) {
        let (type, size) = try reader.boxHeader(within: parent.upperBound - offset)
        let start = offset + reader.position
        return Box(type: type, content: start..<start + size)
      } catch {
        throw error.error(of: format)
      }
    }

    /// Returns the number of frames of the first track of pictures in a movie; nil for fewer than two.
    mutating func frameCount(
      of movie: Range<Int>, _ source: borrowing ImageSource, _ format: ImageFormat
    ) throws(ImageDecodingError) -> Int? {
      var track = movie.lowerBound
      while let box = try box(at: track, in: movie, source, format) {
        track = box.content.upperBound
        guard box.type == "trak",
          let media = try find("mdia", in: box.content, source, format),
          let handler = try find("hdlr", in: media, source, format),
          try source.read(handler.prefix(12)).suffix(4).elementsEqual("pict".utf8),
          let information = try find("minf", in: media, source, format),
          let table = try find("stbl", in: information, source, format),
          let sizes = try find("stsz", in: table, source, format)
        else { continue }
        let count = try source.read(sizes.prefix(12)).suffix(4).reduce(0) { $0 << 8 | Int($1) }
        return count > 1 ? min(count, HEIFFile.maximumFrameCount) : nil
      }
      return nil
    }

    private mutating func find(
      _ type: String, in parent: Range<Int>, _ source: borrowing ImageSource, _ format: ImageFormat
    ) throws(ImageDecodingError) -> Range<Int>? {
      var offset = parent.lowerBound
      while let box = try box(at: offset, in: parent, source, format) {
        if box.type == type { return box.content }
        offset = box.content.upperBound
      }
      return nil
    }
  }
}

extension ImageSource {
  /// Returns whether the file has the byte before `end`.
  fileprivate borrowing func reaches(_ end: Int) throws(ImageDecodingError) -> Bool {
    end == 0 ? true : try read(end - 1..<end).count == 1
  }

  /// Reads a byte range of the file; the result is shorter if the file ends before.
  fileprivate borrowing func read(_ range: Range<Int>) throws(ImageDecodingError) -> [UInt8] {
    // The range comes from the file, so memory is requested only for bytes that exist.
    let pieceSize = 1 << 20
    var bytes: [UInt8] = []
    while bytes.count < range.count {
      let wanted = min(pieceSize, range.count - bytes.count)
      let start = range.lowerBound + bytes.count
      var isRead = false
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        guard let address = buffer.baseAddress else { return }
        isRead = unsafe lqip_codec_read_at(codec, UInt64(start), address, wanted, &count)
      }
      guard isRead else { throw error(format: .heif) }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      guard piece.count == wanted else { break }
    }
    return bytes
  }
}

extension HEIFFailure {
  func error(of format: ImageFormat) -> ImageDecodingError {
    switch self {
    case .corrupt(let reason): .corrupt(format: format, reason: reason)
    case .truncated(let reason): .truncated(format: format, reason: reason)
    case .unsupported(let reason): .unsupported(format: format, reason: reason)
    case .tooLarge(let reason): .tooLarge(reason: reason)
    }
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + count)
  }
}

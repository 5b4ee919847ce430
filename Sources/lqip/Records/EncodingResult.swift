package import LqipSystem
package import PlaceholderEncoding

/// The result of encoding an image, which a worker sends as its reply to an image task.
package enum EncodingResult: Hashable, Sendable {
  /// The placeholders, and the digest of the file if the task requires it.
  case encoded(ImagePlaceholders, byteCount: Int, SHA256Digest?)
  case failed(RecordFailure)

  /// The maximum size of an error message in bytes.
  private static let textLimit = 1 << 10

  /// The encoded reply, at most ``WorkerSettings/replyLimit`` bytes.
  package var bytes: [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .encoded(let image, let byteCount, let digest):
      writer.add(UInt8(0))
      writer.add(UInt64(byteCount))
      writer.add(digest) { $0.add($1.bytes) }
      image.write(to: &writer)
    case .failed(let failure):
      writer.add(UInt8(1))
      writer.add(failure.code.rawValue)
      writer.add(Self.shortened(failure.message))
    }
    return writer.bytes
  }

  /// Parses an untrusted reply.
  package init(parsing bytes: [UInt8]) throws(MalformedMessage) {
    var reader = MessageReader(bytes)
    switch try reader.integer(UInt8.self) {
    case 0:
      let byteCount = Int(try reader.integer(in: 0...UInt64(Int.max)))
      let digest = try reader.optional { reader throws(MalformedMessage) in
        try valid(SHA256Digest(bytes: try reader.countedBytes(upTo: 32)))
      }
      self = .encoded(try ImagePlaceholders(parsing: &reader), byteCount: byteCount, digest)
    case 1:
      let code = try valid(RecordFailure.Code(rawValue: try reader.text(upTo: 32)))
      self = .failed(RecordFailure(code, try reader.text(upTo: Self.textLimit)))
    default: throw MalformedMessage()
    }
    try reader.finish()
  }

  private static func shortened(_ message: String) -> String {
    var text = message
    while text.utf8.count > textLimit { text.removeLast() }
    return text
  }
}

/// Returns a part of a reply, or throws an error if it is `nil` because it could not be parsed.
private func valid<Part>(_ part: Part?) throws(MalformedMessage) -> Part {
  guard let part else { throw MalformedMessage() }
  return part
}

extension WorkerLease {
  /// Sends a task and its image to the worker and waits for a valid reply; the client's disconnection cancels decoding.
  package func perform(
    _ task: ImageTask, _ bytes: Span<UInt8>, within deadlines: WorkerDeadlines,
    client: Int32? = nil
  ) throws(WorkerFailure) -> EncodingResult {
    try reply(to: task.bytes, bytes, within: deadlines, client: client) {
      bytes throws(MalformedMessage) in try EncodingResult(parsing: bytes)
    }
  }
}

extension ImagePlaceholders {
  /// The range of widths and heights in pixels that the image formats can express.
  private static let sideRange: ClosedRange<UInt32> = 1...(1 << 31)

  fileprivate func write(to writer: inout MessageWriter) {
    writer.add(format.mimeType)
    writer.add(UInt32(width))
    writer.add(UInt32(height))
    writer.add(UInt8(orientation.rawValue))
    for flag in [hasAlpha, isOpaque, isAnimated] { writer.add(flag) }
    writer.add(frameCount) { $0.add(UInt32($1)) }
    writer.add(averageColor)
    writer.add(isComplete) { $0.add($1) }
    writer.add(UInt8(warnings.count))
    for warning in warnings { writer.add(warning) }
    for kind in PlaceholderKind.drawn { writer.add(kind.text(self) ?? "") }
    writer.add(preview) { writer, preview in
      writer.add(preview.format.mimeType)
      writer.add(UInt16(preview.width))
      writer.add(UInt16(preview.height))
      writer.add(preview.hasAlpha)
      writer.add(preview.bytes)
    }
    writer.add(palette) { writer, palette in
      writer.add(UInt8(palette.swatches.count))
      for swatch in palette.swatches {
        writer.add(swatch.color)
        writer.add(swatch.share.bitPattern)
      }
    }
  }

  fileprivate init(parsing reader: inout MessageReader) throws(MalformedMessage) {
    self.init(
      format: try reader.format(), width: Int(try reader.integer(in: Self.sideRange)),
      height: Int(try reader.integer(in: Self.sideRange)),
      orientation: try valid(ImageOrientation(rawValue: Int(try reader.integer(UInt8.self)))),
      hasAlpha: try reader.flag(), isOpaque: try reader.flag(), isAnimated: try reader.flag(),
      frameCount: try reader.optional { reader throws(MalformedMessage) in
        Int(try reader.integer(in: 1...UInt32(1 << 16)))
      },
      averageColor: try reader.color(),
      isComplete: try reader.optional { reader throws(MalformedMessage) in try reader.flag() },
      warnings: try Self.warnings(&reader))
    for kind in PlaceholderKind.drawn {
      let text = try reader.text(upTo: 256)
      guard text.isEmpty || kind.read(text, &self) else { throw MalformedMessage() }
    }
    preview = try reader.optional(Self.preview)
    palette = try reader.optional(Self.palette)
  }

  private static func preview(
    _ reader: inout MessageReader
  ) throws(MalformedMessage) -> PreviewImage {
    let format = try reader.format()
    let sides = 1...UInt16(PreviewImage.maximumSide)
    let (width, height) = (try reader.integer(in: sides), try reader.integer(in: sides))
    let hasAlpha = try reader.flag()
    let bytes = try reader.countedBytes(upTo: 8 << 10)
    let beginning = bytes[...]
    // Browsers display the preview, so a compromised worker must not send a file of another type.
    guard ImageFormat(sniffing: beginning.span) == format else { throw MalformedMessage() }
    return PreviewImage(
      bytes: bytes, format: format, width: Int(width), height: Int(height), hasAlpha: hasAlpha)
  }

  private static func palette(
    _ reader: inout MessageReader
  ) throws(MalformedMessage) -> ImagePalette {
    let count = try reader.integer(in: 0...UInt8(ImagePalette.maximumCount))
    var swatches: [ImagePalette.Swatch] = []
    for _ in 0..<count {
      let color = try reader.color()
      let share = Float(bitPattern: try reader.integer())
      // `contains` is also false for NaN.
      guard (0...1).contains(share) else { throw MalformedMessage() }
      swatches.append(ImagePalette.Swatch(color: color, share: share))
    }
    return ImagePalette(swatches: swatches)
  }

  private static func warnings(
    _ reader: inout MessageReader
  ) throws(MalformedMessage) -> [String] {
    var warnings: [String] = []
    for _ in 0..<(try reader.integer(in: 0...UInt8(32))) {
      warnings.append(try reader.text(upTo: 1 << 10))
    }
    return warnings
  }
}

extension MessageWriter {
  fileprivate mutating func add(_ color: SRGBColor) {
    for sample in [color.red, color.green, color.blue] { add(sample) }
  }
}

extension MessageReader {
  fileprivate mutating func color() throws(MalformedMessage) -> SRGBColor {
    SRGBColor(red: try integer(), green: try integer(), blue: try integer())
  }

  fileprivate mutating func format() throws(MalformedMessage) -> ImageFormat {
    try valid(ImageFormat(mimeType: try text(upTo: 32)))
  }
}

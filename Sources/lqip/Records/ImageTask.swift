package import LqipSystem
package import PlaceholderEncoding

/// What a worker does with one image: reads it, and encodes it into its placeholders.
package struct ImageTask: Hashable, Sendable {
  /// From this size on, to decode a file while it is read costs less than to hold it.
  private static let streamingThreshold = 1 << 20

  /// How to encode it.
  ///
  /// A time limit is not sent to a worker, whose parent keeps the time.
  package var encoder: PlaceholderEncoder
  /// The size of the file when it was opened.
  package var byteCount: Int
  /// The most bytes that a file may have.
  package var maximumByteCount: Int
  /// Whether the file has to begin as an image to be taken for one.
  package var isCandidate = false
  /// Whether the reply has the digest of the bytes.
  package var digests = false

  package init(_ encoder: PlaceholderEncoder, byteCount: Int, maximumByteCount: Int) {
    self.encoder = encoder
    self.byteCount = byteCount
    self.maximumByteCount = maximumByteCount
  }

  /// Does it.
  package func reply(for source: WorkerInput.Source) -> ImageReply {
    do throws(RecordFailure) {
      switch source {
      case .file(let descriptor): return try reply(forFile: descriptor)
      case .memory(let bytes):
        let bytes = unsafe bytes.bindMemory(to: UInt8.self)
        return reply(for: unsafe bytes.span)
      }
    } catch {
      return .failed(error, nil)
    }
  }

  /// Encodes an image in memory.
  package func reply(for bytes: Span<UInt8>) -> ImageReply {
    reply(byteCount: bytes.count, digests ? SHA256Digest(of: bytes) : nil) {
      () throws(ImageDecodingError) in try encoder.encode(bytes)
    }
  }

  private func reply(forFile descriptor: Int32) throws(RecordFailure) -> ImageReply {
    guard byteCount <= maximumByteCount else {
      throw RecordFailure(byteCount: byteCount, limit: maximumByteCount)
    }
    do throws(SystemError) {
      var bytes: [UInt8] = []
      if isCandidate || byteCount >= Self.streamingThreshold {
        bytes = try FileDescriptor.read(descriptor, at: 0, upTo: 12)
        let beginning = bytes[...]
        let format = ImageFormat(sniffing: beginning.span)
        if isCandidate, format == nil { return .notAnImage }
        // WebP is decoded from all that came before.
        if byteCount >= Self.streamingThreshold, let format, format != .webp, !digests {
          return try streamedReply(forFile: descriptor)
        }
      }
      bytes = try self.bytes(ofFile: descriptor)
      let held = bytes[...]
      return reply(for: held.span)
    } catch {
      throw RecordFailure(error)
    }
  }

  /// Decodes a file while it is read.
  private func streamedReply(forFile descriptor: Int32) throws(SystemError) -> ImageReply {
    let result = reply(byteCount: byteCount, nil) { () throws(ImageDecodingError) in
      try encoder.encode(file: descriptor, byteCount: byteCount)
    }
    // What has grown meanwhile is held to the limit too.
    let rest = try FileDescriptor.read(descriptor, at: maximumByteCount, upTo: 1)
    return rest.isEmpty
      ? result
      : .failed(RecordFailure(byteCount: maximumByteCount + 1, limit: maximumByteCount), nil)
  }

  /// Reads to the end of a file, which may have grown since it was opened, or to the limit.
  private func bytes(ofFile descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    repeat {
      // One more than there should be shows whether there is.
      let missing = bytes.count <= byteCount ? byteCount + 1 - bytes.count : 1 << 16
      let chunk = try FileDescriptor.read(
        descriptor, at: bytes.count, upTo: min(missing, maximumByteCount + 1 - bytes.count))
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if chunk.isEmpty || bytes.count == byteCount { break }
    } while bytes.count <= maximumByteCount
    return bytes
  }

  private func reply(
    byteCount: Int, _ digest: SHA256Digest?,
    encode: () throws(ImageDecodingError) -> ImagePlaceholders
  ) -> ImageReply {
    guard byteCount <= maximumByteCount else {
      return .failed(RecordFailure(byteCount: byteCount, limit: maximumByteCount), digest)
    }
    guard byteCount > 0 else {
      return .failed(RecordFailure(.unsupportedFormat, "empty file"), digest)
    }
    do {
      return .encoded(try encode(), byteCount: byteCount, digest)
    } catch {
      return .failed(RecordFailure(error), digest)
    }
  }
}

extension ImageTask {
  /// How workers are set up for tasks.
  ///
  /// - Parameters:
  ///   - sandbox: The walls that they need.
  ///   - limits: What an image may cost.
  ///   - workerLimit: The most workers at a time.
  ///   - inputCapacity: How many bytes an image without a file may have.
  /// - Returns: The settings.
  package static func workers(
    _ sandbox: Sandbox.Mode, _ limits: LimitOptions, workerLimit: Int = 1, inputCapacity: Int
  ) -> WorkerSettings {
    // Sums of what a user has asked for must not overflow.
    let most = 1 << 40
    return WorkerSettings(
      sandbox: sandbox,
      memoryLimit: min(limits.memory, most) + min(limits.byteCount, most) + baseMemory,
      workerLimit: workerLimit, inputCapacity: min(inputCapacity, most)
    ) {
      Memory.keepFreed()
      CodecLibrary.loadAll()
    } handle: { input in
      var reader = input.request
      guard let task = try? ImageTask(parsing: &reader) else {
        preconditionFailure("a parent's request is malformed")
      }
      return task.reply(for: input.source).bytes
    }
  }

  /// What a worker takes besides: the program, rows, the grid, tables of colors.
  private static let baseMemory = 64 << 20

  /// The kinds in the order of their bits.
  private static let kinds = PlaceholderKind.allCases

  /// The task as a worker gets it.
  package var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.add(UInt64(byteCount))
    writer.add(UInt64(maximumByteCount))
    for flag in [isCandidate, digests] { writer.add(flag) }
    let options = encoder.options
    var kinds: UInt16 = 0
    for (place, kind) in Self.kinds.enumerated() where options.kinds.contains(kind) {
      kinds |= 1 << UInt16(place)
    }
    writer.add(kinds)
    writer.add(options.blurHash.components) {
      $0.add(UInt8($1.x))
      $0.add(UInt8($1.y))
    }
    writer.add(options.blurHash.method == .fitted)
    writer.add(options.lqip.method == .fitted)
    writer.add(options.lqip.hasSixColors)
    writer.add(UInt32(options.preview.maximumByteCount))
    let (decoding, limits) = (options.decoding, options.limits)
    writer.add([decoding.background.red, decoding.background.green, decoding.background.blue])
    let flags = [
      decoding.appliesOrientation, decoding.isExact, decoding.isLenient, decoding.verifiesWholeFile,
    ]
    for flag in flags { writer.add(flag) }
    for format in ImageFormat.allCases { writer.add(Int64(limits.maximumPixelCounts[format] ?? 0)) }
    for count in [
      limits.maximumDecodeMemory, limits.maximumScanCount, limits.maximumWarningCount,
    ] { writer.add(Int64(count)) }
    return writer.bytes
  }

  /// Parses what ``bytes`` writes.
  init(parsing reader: inout MessageReader) throws(MalformedMessage) {
    byteCount = Int(clamping: try reader.integer(UInt64.self))
    maximumByteCount = Int(clamping: try reader.integer(UInt64.self))
    (isCandidate, digests) = (try reader.flag(), try reader.flag())
    let kinds = try reader.integer(UInt16.self)
    var options = PlaceholderEncoder.Options()
    options.kinds = []
    for (place, kind) in Self.kinds.enumerated() where kinds >> UInt16(place) & 1 == 1 {
      options.kinds.insert(kind)
    }
    options.blurHash.components = try reader.optional { reader throws(MalformedMessage) in
      let range: ClosedRange<UInt8> = 1...9
      return ComponentCount(
        x: Int(try reader.integer(in: range)), y: Int(try reader.integer(in: range)))
    }
    options.blurHash.method = try reader.flag() ? .fitted : .reference
    options.lqip.method = try reader.flag() ? .fitted : .corners
    options.lqip.hasSixColors = try reader.flag()
    options.preview.maximumByteCount = Int(try reader.integer(UInt32.self))
    let color = try reader.run(upTo: 3)
    guard color.count == 3 else { throw MalformedMessage() }
    options.decoding.background = SRGBColor(red: color[0], green: color[1], blue: color[2])
    options.decoding.appliesOrientation = try reader.flag()
    options.decoding.isExact = try reader.flag()
    options.decoding.isLenient = try reader.flag()
    options.decoding.verifiesWholeFile = try reader.flag()
    for format in ImageFormat.allCases {
      options.limits.maximumPixelCounts[format] = Int(try reader.integer(Int64.self))
    }
    options.limits.maximumDecodeMemory = Int(try reader.integer(Int64.self))
    options.limits.maximumScanCount = Int(try reader.integer(Int64.self))
    options.limits.maximumWarningCount = Int(try reader.integer(Int64.self))
    encoder = PlaceholderEncoder(options)
    try reader.finish()
  }
}

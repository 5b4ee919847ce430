package import LqipSystem
import PlaceholderEncoding

/// A task for a worker: to read an image and encode its placeholders.
package struct ImageTask: Hashable, Sendable {
  /// The minimum file size in bytes for which streaming is cheaper than reading the complete file into memory.
  private static let streamingThreshold = 1 << 20

  /// The same for HEIF files, of which only the list of items and a thumbnail may be needed.
  private static let heifStreamingThreshold = 1 << 16

  /// The settings of the encoder, without time limits, which the parent enforces.
  package let settings: EncoderSettings
  /// The size of the file in bytes when it was opened.
  package let byteCount: Int
  /// Whether the reply contains the SHA-256 digest of the file.
  package var includesDigest = false

  package init(_ settings: EncoderSettings, byteCount: Int) {
    self.settings = settings
    self.byteCount = byteCount
  }

  private var encoder: PlaceholderEncoder { settings.encoder }
  private var maximumByteCount: Int { settings.maximumByteCount }

  /// Performs the task on an image in a file or in memory.
  package func reply(for input: WorkerInput) -> EncodingResult {
    switch input {
    case .memory(let bytes):
      let bytes = unsafe bytes.bindMemory(to: UInt8.self)
      return reply(for: unsafe bytes.span)
    case .file(let descriptor):
      do {
        return try reply(forFile: descriptor)
      } catch {
        return .failed(RecordFailure(error))
      }
    }
  }

  package func reply(for bytes: Span<UInt8>) -> EncodingResult {
    reply(byteCount: bytes.count) { () throws(ImageDecodingError) in
      .encoded(
        try encoder.encode(bytes), byteCount: bytes.count,
        includesDigest ? SHA256Digest(of: bytes) : nil)
    }
  }

  private func reply(forFile descriptor: Int32) throws(SystemError) -> EncodingResult {
    guard byteCount <= maximumByteCount else { return try replyForLargeFile(descriptor) }
    if byteCount >= Self.heifStreamingThreshold, !includesDigest {
      let beginning = try FileDescriptor.read(
        descriptor, at: 0, upTo: ImageFormat.sniffedByteCount)[...]
      // The WebP decoder needs all preceding bytes, so streaming would save no memory.
      if let format = ImageFormat(sniffing: beginning.span), format != .webp,
        byteCount >= Self.streamingThreshold || format.isHEIF
      {
        return try streamedReply(forFile: descriptor)
      }
    }
    let image = try bytes(ofFile: descriptor)[...]
    return reply(for: image.span)
  }

  /// Returns the failure of a file above the limit: its format, if that is not supported at any size.
  private func replyForLargeFile(_ descriptor: Int32) throws(SystemError) -> EncodingResult {
    let beginning = try FileDescriptor.read(descriptor, at: 0, upTo: 1024)[...]
    if let reason = ImageFormat.reasonForRejecting(beginning.span) {
      return .failed(RecordFailure(ImageDecodingError.unsupportedFormat(reason: reason)))
    }
    return .failed(RecordFailure(byteCount: byteCount, limit: maximumByteCount))
  }

  private func streamedReply(forFile descriptor: Int32) throws(SystemError) -> EncodingResult {
    let result = reply(byteCount: byteCount) { () throws(ImageDecodingError) in
      .encoded(
        encoder.placeholders(
          of: try encoder.decoder.decode(file: descriptor, byteCount: byteCount)),
        byteCount: byteCount, nil)
    }
    // The file may have grown past the limit since it was opened.
    let excess = try FileDescriptor.read(descriptor, at: maximumByteCount, upTo: 1)
    return excess.isEmpty
      ? result
      : .failed(RecordFailure(byteCount: maximumByteCount + 1, limit: maximumByteCount))
  }

  /// Reads a file, which may have grown since it was opened, to its end or until it exceeds the size limit.
  private func bytes(ofFile descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    repeat {
      // Request one byte more than expected, to detect growth of the file.
      let requested = bytes.count <= byteCount ? byteCount + 1 - bytes.count : 1 << 16
      let chunk = try FileDescriptor.read(
        descriptor, at: bytes.count, upTo: min(requested, maximumByteCount + 1 - bytes.count))
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if chunk.isEmpty || bytes.count == byteCount { break }
    } while bytes.count <= maximumByteCount
    return bytes
  }

  private func reply(
    byteCount: Int, encode: () throws(ImageDecodingError) -> EncodingResult
  ) -> EncodingResult {
    guard byteCount <= maximumByteCount else {
      return .failed(RecordFailure(byteCount: byteCount, limit: maximumByteCount))
    }
    guard byteCount > 0 else {
      return .failed(RecordFailure(.unsupportedFormat, "empty file"))
    }
    do {
      return try encode()
    } catch {
      return .failed(RecordFailure(error))
    }
  }
}

extension ImageTask {
  /// Returns the settings of workers that perform image tasks with up to `memory` bytes for an image and its file.
  package static func workers(
    _ sandbox: Sandbox.Mode, memory: Int, workerLimit: Int = 1, inputCapacity: Int
  ) -> WorkerSettings {
    workers(
      sandbox, memoryLimit: memory + WorkerSettings.baseMemory, workerLimit: workerLimit,
      inputCapacity: inputCapacity)
  }

  /// Makes this process a zygote whose parent has executed it with `WorkerSettings.command` and these arguments.
  ///
  /// Returns if the arguments are not those of a zygote.
  package static func runZygote(_ arguments: [String]) {
    guard arguments.count == 2, let sandbox = Sandbox.Mode(rawValue: arguments[0]),
      let memoryLimit = Int(arguments[1])
    else { return }
    workers(sandbox, memoryLimit: memoryLimit, workerLimit: 0, inputCapacity: 0).runZygote()
  }

  private static func workers(
    _ sandbox: Sandbox.Mode, memoryLimit: Int, workerLimit: Int, inputCapacity: Int
  ) -> WorkerSettings {
    WorkerSettings(
      sandbox: sandbox, memoryLimit: memoryLimit, workerLimit: workerLimit,
      inputCapacity: inputCapacity
    ) { onlyImage in
      Memory.keepFreedBuffers()
      let beginning = onlyImage.flatMap { try? $0.beginning(upTo: ImageFormat.sniffedByteCount) }
      CodecLibrary.load(for: beginning.flatMap { ImageFormat(sniffing: $0.span) })
    } handle: { request, input in
      guard let task = try? ImageTask(parsing: request) else {
        preconditionFailure("malformed request from the parent process")
      }
      return task.reply(for: input).bytes
    }
  }

  package var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.add(UInt64(byteCount))
    writer.add(includesDigest)
    writer.add(settings.text)
    return writer.bytes
  }

  init(parsing bytes: [UInt8]) throws(MalformedMessage) {
    var reader = MessageReader(bytes)
    byteCount = Int(clamping: try reader.integer(UInt64.self))
    includesDigest = try reader.flag()
    guard let settings = EncoderSettings(parsing: try reader.text(upTo: 1 << 10)) else {
      throw MalformedMessage()
    }
    self.settings = settings
    try reader.finish()
  }
}

// This is a separate target, so that the command-line program does not load Foundation.
public import Foundation
public import PlaceholderEncoding
public import Placeholders

// Only the `async` methods take `Data` and `URL`: with a blocking form of the same name, a call in a synchronous closure,
// such as that of `MainActor.run`, would block.
extension PlaceholderEncoder {
  /// Encodes an image from a pipe, a socket, or an open file, which is read from its current offset.
  ///
  /// - Parameter file: The file, which stays open. Its offset is unspecified afterwards.
  /// - Returns: The placeholders, and the properties of the image.
  /// - Throws: ``/PlaceholderEncoding/ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  public func encode(_ file: FileHandle) throws(ImageDecodingError) -> ImagePlaceholders {
    try encode(fileDescriptor: file.fileDescriptor)
  }

  /// Encodes an image in memory, on a thread outside the cooperative pool of Swift concurrency.
  ///
  /// At most one image per core is encoded at a time; other calls wait. If the task is canceled, encoding stops at the
  /// next row and throws ``/PlaceholderEncoding/ImageDecodingError/cancelled``.
  ///
  /// - Parameter data: The complete file.
  /// - Returns: The placeholders, and the properties of the image.
  /// - Throws: ``/PlaceholderEncoding/ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  public func encode(_ data: Data) async throws(ImageDecodingError) -> ImagePlaceholders {
    let bytes = [UInt8](data)[...]
    return try await Self.onThread { isCancelled throws(ImageDecodingError) in
      placeholders(of: try decoder.decode(bytes.span, isCancelled: isCancelled))
    }
  }

  /// Encodes the image in a file, on a thread outside the cooperative pool of Swift concurrency.
  ///
  /// At most one image per core is encoded at a time; other calls wait. If the task is canceled, encoding stops at the
  /// next row and throws ``/PlaceholderEncoding/ImageDecodingError/cancelled``.
  ///
  /// - Parameter url: The URL of a local file.
  /// - Returns: The placeholders, and the properties of the image.
  /// - Throws: Foundation's error if the file cannot be opened; ``/PlaceholderEncoding/ImageDecodingError`` if the
  ///   image cannot be read or decoded, or exceeds a limit.
  public func encode(contentsOf url: URL) async throws -> ImagePlaceholders {
    try await Self.onThread { isCancelled throws(any Error) in
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      return placeholders(
        of: try decoder.decode(fileDescriptor: file.fileDescriptor, isCancelled: isCancelled))
    }
  }

  /// The threads for `async` calls, at most one per core.
  private static let threads: OperationQueue = {
    let threads = OperationQueue()
    threads.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    return threads
  }()

  /// Runs `body` on one of ``threads`` and passes it a function that returns whether the current task is canceled.
  private static func onThread<Failure: Error>(
    _ body:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(Failure)
      -> ImagePlaceholders
  ) async throws(Failure) -> ImagePlaceholders {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        threads.addOperation {
          continuation.resume(
            returning: Result { () throws(Failure) in try body { cancellation.isRequested } })
        }
      }
    } onCancel: {
      cancellation.request()
    }
    return try result.get()
  }
}

/// The cancellation state of a task, shared with the thread that encodes for the task.
private final class Cancellation: @unchecked Sendable {
  private let lock = NSLock()
  private var state = false

  var isRequested: Bool { lock.withLock { state } }

  func request() { lock.withLock { state = true } }
}

extension ImageDecodingError: LocalizedError {
  /// The error's ``/PlaceholderEncoding/ImageDecodingError/description``.
  public var errorDescription: String? { description }
}

extension RGBABitmap.PNGError: LocalizedError {
  /// The error's ``/PlaceholderEncoding/RGBABitmap/PNGError/description``.
  public var errorDescription: String? { description }
}

extension ImageSizeError: LocalizedError {
  /// The error's ``/Placeholders/ImageSizeError/description``.
  public var errorDescription: String? { description }
}

extension BlurHash.ParsingError: LocalizedError {
  /// The error's ``/Placeholders/BlurHash/ParsingError/description``.
  public var errorDescription: String? { description }
}

extension CSSInteger.ParsingError: LocalizedError {
  /// The error's ``/Placeholders/CSSInteger/ParsingError/description``.
  public var errorDescription: String? { description }
}

extension LQIP.ParsingError: LocalizedError {
  /// The error's ``/Placeholders/LQIP/ParsingError/description``.
  public var errorDescription: String? { description }
}

extension SRGBColor.ParsingError: LocalizedError {
  /// The error's ``/Placeholders/SRGBColor/ParsingError/description``.
  public var errorDescription: String? { description }
}

extension TinyJPEG.ParsingError: LocalizedError {
  /// The error's ``/Placeholders/TinyJPEG/ParsingError/description``.
  public var errorDescription: String? { description }
}

extension ThumbHash.ParsingError: LocalizedError {
  /// The error's ``/Placeholders/ThumbHash/ParsingError/description``.
  public var errorDescription: String? { description }
}

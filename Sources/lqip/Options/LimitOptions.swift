import LqipRecords
package import LqipSystem
package import PlaceholderEncoding

/// The options that limit the decoding of one image.
package struct LimitOptions: Hashable, Sendable {
  /// The maximum file size in bytes.
  package var byteCount = EncoderSettings.defaultByteCount
  /// The maximum number of pixels; `nil` for the default of each format.
  package var pixelCount: Int?
  /// The maximum decoding memory in bytes.
  package var memory = ImageDecoder.Limits().maximumDecodeMemory
  /// The maximum CPU time per image.
  package var timeout = Duration.seconds(10)

  package init() {}

  /// The option table of commands that read files.
  package static let table = table(of: "file", defaults: LimitOptions())

  /// The number of pixels up to which the sums of a `PixelGrid` cannot overflow.
  private static let maximumPixelCount = 1 << 34

  /// Returns the option table for a command; `input` is the word for an input in the help, such as "file".
  package static func table(of input: String, defaults: LimitOptions) -> [CommandOption<Self>] {
    [
      .value(
        "--max-bytes", "BYTES", { $0.byteCount = $1 }, .byteCount,
        help: "Limit \(input) size (default: \(defaults.byteCount >> 20)M)",
        details:
          "K, M and G (or KiB, MiB and GiB) are powers of 1024; KB, MB and GB are powers of 1000."),
      .value(
        "--max-pixels", "N", { $0.pixelCount = $1 }, .count(in: 1...maximumPixelCount),
        help: "Reject images with more than N pixels",
        details: "N can be at most \(maximumPixelCount), and written as 50M. Default: "
          + "\(ImageDecoder.Limits.defaultPixelCount(of: .jpeg)); "
          + "\(ImageDecoder.Limits.defaultPixelCount(of: .png)) for PNG and GIF."),
      .value(
        "--max-memory", "BYTES", { $0.memory = $1 }, .byteCount,
        help: "Limit decoding memory per image (default: 256M)",
        details: "This limit mainly affects progressive JPEG, WebP, AVIF and HEIC images."),
      .value(
        "--timeout", "SECONDS", { $0.timeout = $1 }, .seconds,
        help: "Limit CPU time per image (default: \(defaults.timeout.components.seconds))",
        details:
          "An image that takes longer fails with the error code 'timeout'. SECONDS can be at most 86400, and "
          + "written as 500ms, 10s or 2m."
      ),
    ]
  }

  /// The limits for the decoder; the parent of the worker enforces the timeout.
  package var decodeLimits: ImageDecoder.Limits {
    var limits = ImageDecoder.Limits()
    limits.maximumDecodeMemory = memory
    if let pixelCount { limits.setMaximumPixelCount(pixelCount) }
    return limits
  }

  /// Returns the settings of workers that decode images within these limits.
  package func workers(
    _ sandbox: Sandbox.Mode, workerLimit: Int = 1, inputCapacity: Int
  ) -> WorkerSettings {
    // Clamp user-supplied values, so that their sum cannot overflow.
    let maximum = 1 << 40
    // An image in a slot takes no private memory.
    let fileByteCount = inputCapacity > 0 ? 0 : min(byteCount, maximum)
    return ImageTask.workers(
      sandbox, memory: min(memory, maximum) + fileByteCount, workerLimit: workerLimit,
      inputCapacity: min(inputCapacity, maximum))
  }
}

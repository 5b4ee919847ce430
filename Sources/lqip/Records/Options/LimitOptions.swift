package import PlaceholderEncoding

/// Limits on the decoding of one image, as the user sets them.
package struct LimitOptions: Hashable, Sendable {
  package var byteCount = 64 << 20
  package var pixelCount: Int?
  package var memory = ImageDecoder.Limits().maximumDecodeMemory
  package var timeout = Duration.seconds(10)

  package init() {}

  /// The rows for the tables of the commands over files.
  package static let table = table(of: "file", defaults: LimitOptions())

  /// The most pixels that the sums of a grid hold.
  private static let maximumPixelCount = 1 << 34

  /// The rows for the table of a command.
  ///
  /// - Parameters:
  ///   - thing: What an image comes in.
  ///   - defaults: What holds where the options are not given.
  /// - Returns: The rows.
  package static func table(of thing: String, defaults: LimitOptions) -> [CommandOption<Self>] {
    [
      .value(
        "--max-bytes", "BYTES", \.byteCount, .byteCount,
        help: "Limit \(thing) size (default: \(defaults.byteCount >> 20)M)",
        details: "K, M and G (or KiB, MiB and GiB) are powers of 1024; KB, MB and GB, of 1000."),
      .value(
        "--max-pixels", "N", \.pixelCount, .integer(in: 1...maximumPixelCount),
        help: "Reject images with more than N pixels",
        details: "N is at most \(maximumPixelCount). Default: "
          + "\(defaultPixelCount(of: .jpeg)) for JPEG and WebP, "
          + "\(defaultPixelCount(of: .png)) for PNG and GIF."),
      .value(
        "--max-memory", "BYTES", \.memory, .byteCount,
        help: "Limit decoding memory per image (default: 256M)",
        details: "Mainly affects progressive JPEG and WebP images."),
      .value(
        "--timeout", "SECONDS", \.timeout, .seconds,
        help: "Limit CPU time per image (default: \(defaults.timeout.components.seconds))",
        details:
          "An image that takes longer fails with the code 'timeout'. SECONDS is at most 86400."),
    ]
  }

  private static func defaultPixelCount(of format: ImageFormat) -> Int {
    ImageDecoder.Limits().maximumPixelCounts[format] ?? 0
  }

  /// The limits as the library takes them; the time is kept by the parent of the process that decodes.
  package var decodeLimits: ImageDecoder.Limits {
    var limits = ImageDecoder.Limits()
    limits.maximumDecodeMemory = memory
    if let pixelCount {
      limits.maximumPixelCounts = limits.maximumPixelCounts.mapValues { _ in pixelCount }
    }
    return limits
  }

  /// The limits that are not the default and by which an image may be refused for good, as they
  /// would be written on a command line.
  package var text: [String] {
    let standard = LimitOptions()
    let choices: [(isChosen: Bool, text: String)] = [
      (byteCount != standard.byteCount, "max-bytes=\(byteCount)"),
      (pixelCount != nil, "max-pixels=\(pixelCount ?? 0)"),
      (memory != standard.memory, "max-memory=\(memory)"),
    ]
    return choices.filter(\.isChosen).map(\.text)
  }
}

package import PlaceholderEncoding

/// Which placeholders to make of an image, and how it is read: what any caller may choose.
package struct PlaceholderOptions: Hashable, Sendable {
  package var components: ComponentCount?
  package var blurHash = BlurHashEncoding.reference
  package var lqip = LQIPMethod.fitted
  package var previewByteCount = PreviewImage.defaultByteCount
  package var decoding = DecodeOptions()

  package init() {}

  private static let previewByteCounts = PreviewImage.minimumByteCount...8192

  /// The rows for the tables of the commands.
  package static let table: [CommandOption<Self>] = [
    .value(
      "--components", "auto|XxY", \.components, .components,
      help: "Detail of the BlurHash: 1 to 9 components per axis; 'auto' (default) takes 4 on the "
        + "long side and 3 on the short, or 4x4 for a square."),
    .value(
      "--blurhash", "METHOD", \.blurHash, .choice,
      help: "How to find the terms of the BlurHash: 'reference' (default), as its C encoder does; "
        + "'fitted', those whose preview comes closest."),
    .value(
      "--lqip", "METHOD", \.lqip, .choice,
      help: "How to find the colors of the LQIP: 'fitted' (default), those that come closest; "
        + "'corners', from areas on the diagonal; 'six', fitted and three more in 'lqip2'."),
    .value(
      "--preview-bytes", "N", \.previewByteCount, .integer(in: previewByteCounts),
      help: "The most bytes of a preview's data URL, \(previewByteCounts.lowerBound) to "
        + "\(previewByteCounts.upperBound). Default: \(PreviewImage.defaultByteCount)."),
    .value(
      "--background", "COLOR", \.decoding.background, .color,
      help: "What shows through transparent pixels: #rrggbb, #rgb, 'white' (default) or 'black'."),
    .flag(
      "--no-orient", \.decoding.appliesOrientation, to: false,
      help: "Leave the image as stored, whatever its EXIF orientation."),
    .flag("--exact", \.decoding.isExact, help: "Decode every pixel at full size; slower."),
    .flag(
      "--lenient", \.decoding.isLenient,
      help: "Take what can be decoded of a damaged image, with a warning in its record."),
    .flag(
      "--verify", \.decoding.verifiesWholeFile,
      help: "Read every image to its end, so that any damage is found."),
  ]

  /// The choices that are not the default, as they would be written on a command line.
  package var text: [String] {
    let standard = PlaceholderOptions()
    let choices: [(isChosen: Bool, text: String)] = [
      (components != nil, components.map { "components=\($0)" } ?? ""),
      (blurHash != standard.blurHash, "blurhash=\(blurHash.rawValue)"),
      (lqip != standard.lqip, "lqip=\(lqip.rawValue)"),
      (
        previewByteCount != standard.previewByteCount, "preview-bytes=\(previewByteCount)"
      ),
      (
        decoding.background != standard.decoding.background,
        "background=\(decoding.background.hex)"
      ),
      (!decoding.appliesOrientation, "no-orient"),
      (decoding.isExact, "exact"),
      (decoding.isLenient, "lenient"),
      (decoding.verifiesWholeFile, "verify"),
    ]
    return choices.filter(\.isChosen).map(\.text)
  }
}

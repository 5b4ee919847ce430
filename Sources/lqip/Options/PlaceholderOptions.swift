package import PlaceholderEncoding

/// The options for decoding an image and encoding its placeholders.
package typealias PlaceholderOptions = PlaceholderEncoder.Options

extension PlaceholderOptions {
  private static let previewByteCounts = PreviewImage.Options.minimumByteCount...8192

  package static let table: [CommandOption<Self>] = [
    .value(
      "--components", "XxY", { $0.blurHash.components = $1 },
      OptionValue(
        allowed: "auto, or two numbers from 1 to 9 joined by 'x', such as 4x3",
        completion: .words(["auto"])
      ) { BlurHash.Components($0.text) },
      help: "Set the BlurHash components per axis (default: auto)",
      details:
        "X and Y are 1 to 9, as in 4x3. 'auto' uses 4 for the long side and 3 for the short side, "
        + "or 4x4 for a square."),
    .value(
      "--blurhash", "METHOD", { $0.blurHash.method = $1 }, .choice,
      help: "Set the BlurHash method: reference (default) or fitted",
      details: "'reference' matches the C encoder; 'fitted' searches for the hash whose preview "
        + "is closest to the image."),
    .value(
      "--lqip", "METHOD", { $0.lqip.method = $1 }, .choice,
      help: "Set the LQIP method: fitted (default), corners or six",
      details: "'fitted' searches for the colors whose gradient is closest to the image; 'corners' "
        + "averages three areas on the diagonal; 'six' works like 'fitted' and adds three more "
        + "colors in 'lqip2'."),
    .value(
      "--tiny-bytes", "N", { $0.tiny.maximumByteCount = $1 }, .integer(in: TinyJPEG.byteCounts),
      help: "Limit tiny JPEGs to N bytes (default: \(TinyJPEG.byteCounts.upperBound))",
      details: "N is a number from \(TinyJPEG.byteCounts.lowerBound) to "
        + "\(TinyJPEG.byteCounts.upperBound). The value is padded to a multiple of three bytes."),
    .value(
      "--preview-format", "FORMAT", { $0.preview.format = $1 }, .choice,
      help: "Set the preview format: webp (default) or jpeg",
      details:
        "'webp' searches for the size and quality closest to the image. 'jpeg' uses PNG for "
        + "transparent images, and if no JPEG fits. Without libwebp, the format is 'jpeg'."),
    .value(
      "--preview-bytes", "N", { $0.preview.maximumByteCount = $1 }, .integer(in: previewByteCounts),
      help:
        "Limit preview data URLs to N bytes (default: \(PreviewImage.Options.defaultByteCount))",
      details:
        "N is a number from \(previewByteCounts.lowerBound) to \(previewByteCounts.upperBound)."),
    .value(
      "--background", "COLOR", { $0.decoding.background = $1 },
      OptionValue(allowed: "#rrggbb, #rgb, white or black", completion: .words(["white", "black"]))
      {
        switch $0.text {
        case "white": .white
        case "black": .black
        default: SRGBColor($0.text)
        }
      },
      help: "Blend transparent pixels with COLOR (default: white)",
      details: "COLOR is #rrggbb, #rgb, 'white' or 'black'."),
    .flag("--exact", { $0.decoding.isExact = true }, help: "Decode at full resolution (slower)"),
    .flag(
      "--lenient", { $0.decoding.isLenient = true },
      help: "Accept damaged images, with a warning",
      details: "The placeholders are computed from the part that could be decoded."),
    .flag(
      "--verify", { $0.decoding.verifiesWholeFile = true },
      help: "Read each file in full to detect damage",
      details: "By default, lqip reads only as much of a file as it needs."),
  ]
}

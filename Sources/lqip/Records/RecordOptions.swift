package import LqipFiles
package import LqipOptions
package import PlaceholderEncoding

/// Where records go and what they look like.
package struct RecordOptions: Hashable, Sendable {
  package var output = OutputOptions()
  package var profile = RecordProfile.plain
  /// The placeholders of each image; `nil` for the profile's default.
  package var kinds: [PlaceholderKind]?
  /// The one kind that is written without a record around it.
  package var text: PlaceholderKind?
  /// The directory that paths in records are relative to.
  package var base: FilePath?

  package init() {}

  /// The options on where records go.
  package static let outputTable = OutputOptions.table(
    details: "The extension decides the format: .ndjson is one JSON object per line, .json one "
      + "object keyed by path, .csv a table. Without an extension, and on standard output, it is "
      + "NDJSON. FILE is replaced atomically at the end of the run, and left untouched if nothing "
      + "changed. '-' is standard output."
  ).map { $0.lifted(to: \RecordOptions.output) }

  /// The options on what records look like.
  package static let layoutTable: [CommandOption<Self>] = [
    profileOption,
    .value(
      "--text", "KIND", \.text, .choice,
      help: "Print only this placeholder, one per line",
      details: "A failed image produces an empty line."),
    .value(
      "--relative-to", "DIRECTORY", \.base, .path,
      help: "Write paths relative to DIRECTORY",
      details: "A file outside DIRECTORY is an error. '.' and '..' are resolved; "
        + "symbolic links are not followed."),
  ]

  /// The option on whom records are for.
  package static let profileOption: CommandOption<Self> = .value(
    "--profile", "PROFILE", \.profile, .choice,
    help: "Write the fields expected by mastodon, matrix, activitypub or nostr",
    details: "'plain', the default, writes every field.")

  /// The option on which placeholders are made.
  package static let kindsOption: CommandOption<Self> = .value(
    "--kinds", "KIND,...", \.kinds, .kinds,
    help: "Placeholders to generate: blurhash, lqip, thumbhash, preview, svg, css, palette "
      + "(default: blurhash,lqip)",
    details: "All are computed in one pass. 'preview' is a tiny image as a data URL, 'svg' the "
      + "same in an SVG that blurs it, 'css' one integer, 'palette' the main colors. A profile "
      + "other than 'plain' has only the BlurHash by default.")

  /// The placeholders that are made of an image.
  package var chosenKinds: Set<PlaceholderKind> {
    text.map { [$0] } ?? kinds.map { Set($0) } ?? profile.kinds
  }

  /// Whether the output holds all that a later run needs to reuse its records.
  package var isUpdatable: Bool {
    output.path != nil && layout.format == .ndjson && profile == .plain && text == nil
  }

  /// The look of the records.
  package var layout: RecordLayout {
    RecordLayout(
      text == nil ? output.path.map(RecordFormat.init(extensionOf:)) ?? .ndjson : .ndjson,
      profile: profile, kinds: chosenKinds, text: text)
  }

  /// Refuses settings that do not fit together.
  package func validate() throws(UsageError) {
    if text != nil, profile != .plain || kinds != nil {
      throw .conflict("--text cannot be combined with --profile or --kinds")
    }
    try (text == nil ? OutputContent.records : .lines).check(output.path)
  }
}

package import LqipFiles
package import LqipOptions
package import PlaceholderEncoding

/// Where records go and what they look like.
package struct RecordOptions: Hashable, Sendable {
  package var output: FilePath?
  package var format: RecordFormat?
  package var profile: RecordProfile
  package var fields: [String]?
  /// What is made of an image; nil for what the profile or the fields are about.
  package var kinds: [PlaceholderKind]?
  /// The one kind that is written without a record around it.
  package var text: PlaceholderKind?
  /// What paths in the output are relative to.
  package var base: FilePath?
  package var overwrites: Bool
  package var summary: FilePath?

  package init(
    output: FilePath? = nil, format: RecordFormat? = nil, profile: RecordProfile = .plain,
    fields: [String]? = nil, overwrites: Bool = false, summary: FilePath? = nil
  ) {
    self.output = output
    self.format = format
    self.profile = profile
    self.fields = fields
    self.overwrites = overwrites
    self.summary = summary
  }

  /// The rows for the tables of the commands.
  package static let table: [CommandOption<Self>] =
    outputTable + [
      profileOption, kindsOption,
      .value(
        "--text", "KIND", \.text, .choice,
        help: "Write this kind and nothing else, a line an image, empty for one that failed."),
      .value(
        "--base", "DIRECTORY", \.base, .path,
        help:
          "Write paths, and with '--profile' URLs, as they are from DIRECTORY on; a file outside it "
          + "counts as a failed image. '.' and '..' are resolved, symbolic links are not followed."),
      .value(
        "--fields", "NAME,...", \.fields, .list(of: RecordLayout.fields(of: .plain)),
        help: "Write only these members of the profile, in this order, and after them errors; with "
          + "'path' comes 'path_base64' for a name that is not UTF-8, which in CSV is always a column, "
          + "and --update adds 'bytes', 'modified' and 'encoder', and 'path' if it is missing."),
      .value(
        "--summary", "FILE", \.summary, .path,
        help: "Write the counts, with examples by name, to FILE as a JSON object."),
    ]

  /// The rows on where records go and in which format.
  package static let outputTable: [CommandOption<Self>] = [
    .value(
      "--output", short: "o", "FILE", \.output, .path,
      help: "Write to FILE, which is replaced once all is done; '-' is standard output."),
    .value(
      "--format", "FORMAT", \.format, .choice,
      help: "How to write records: 'ndjson', a JSON object per line; 'json', one object with the "
        + "paths as its keys; 'csv', a table. Default: by the extension of FILE, else 'ndjson'."),
    .flag("--force", \.overwrites, help: "Replace FILE even if this program did not write it."),
  ]

  /// The row on whom records are for, wherever they go.
  package static let profileOption: CommandOption<Self> = .value(
    "--profile", "PROFILE", \.profile, .choice,
    help: "Which members records have: 'plain' (default), all; 'mastodon', 'matrix', "
      + "'activitypub' or 'nostr', what is read there; 'next', 'hugo' or 'eleventy', a JSON file to "
      + "import there.")

  /// The row on what is made of an image.
  package static let kindsOption: CommandOption<Self> = kindsOption(
    default: "what the profile or the fields are about, for all others 'blurhash,lqip'")

  /// The same, where the default follows from other things.
  package static func kindsOption(default kinds: String) -> CommandOption<Self> {
    .value(
      "--kinds", "KIND,...", \.kinds, .kinds,
      help: "What to make of each image: 'blurhash', 'lqip', 'thumbhash'; 'preview', a tiny image "
        + "as a data URL; 'svg', the same with its blur; 'css', one integer; 'palette', the main "
        + "colors. Default: \(kinds).")
  }

  /// What is made of an image.
  package var chosenKinds: Set<PlaceholderKind> {
    if let text { return [text] }
    if let kinds { return Set(kinds) }
    return fields.map { Set($0.compactMap { PlaceholderKind(memberName: $0) }) } ?? profile.kinds
  }

  /// The format that was chosen or that the output's name stands for, else lines of JSON.
  package var chosenFormat: RecordFormat {
    format ?? output.flatMap(RecordFormat.init(extensionOf:)) ?? profile.format
  }

  /// Whether there is a choice of the format at all.
  package var isFormatChosen: Bool {
    format != nil || output.flatMap(RecordFormat.init(extensionOf:)) != nil
  }

  /// Whether records have all there is to say.
  package var isComplete: Bool {
    profile == .plain && fields == nil && text == nil && base == nil
  }

  /// Refuses names that the profile's records do not have.
  package func validate() throws(UsageError) {
    if text != nil, isFormatChosen || profile != .plain || fields != nil || kinds != nil {
      throw .conflict("--text leaves no choice of format, profile, fields or kinds")
    }
    if let summary, summary.normalized == output?.normalized {
      throw .conflict("--summary and --output cannot be the same file")
    }
    try OutputContent.records.check(output)
    try OutputContent.summary.check(summary, option: "--summary")
    let names = RecordLayout.fields(of: profile)
    for (index, name) in (fields ?? []).enumerated() {
      guard names.contains(name), fields?.firstIndex(of: name) == index else {
        let allowed = "any of \(names.joined(separator: ", ")), each once"
        throw .invalidValue(name, option: "--fields", allowed: allowed)
      }
    }
  }

  /// What the records look like.
  ///
  /// - Parameters:
  ///   - stamps: Whether they say what they were made from.
  ///   - digests: Whether they have the digest of the file, chosen as a field or not.
  /// - Returns: The layout, in the format that was chosen or that the output's name stands for.
  package func layout(stamps: Bool = false, digests: Bool = false) -> RecordLayout {
    RecordLayout(
      text == nil ? chosenFormat : .ndjson, profile: profile, fields: fields, kinds: chosenKinds,
      text: text, base: base, stamps: stamps, digests: digests)
  }
}

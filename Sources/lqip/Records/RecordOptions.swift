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
      profileOption,
      .value(
        "--fields", "NAME,...", \.fields, .list(of: RecordLayout.fields(of: .plain)),
        help: "Write only these fields, in this order",
        details:
          "Errors are always added after the fields. 'path' adds 'path_base64' for a name that is "
          + "not UTF-8; in CSV, that column always exists. --update adds 'bytes', 'modified', "
          + "'encoder' and 'path'."),
      .value(
        "--text", "KIND", \.text, .choice,
        help: "Print only this placeholder, one per line",
        details: "A failed image produces an empty line."),
      .value(
        "--base", "DIRECTORY", \.base, .path,
        help: "Make paths and URLs relative to DIRECTORY",
        details: "A file outside DIRECTORY counts as a failed image. '.' and '..' are resolved; "
          + "symbolic links are not followed."),
      .value(
        "--summary", "FILE", \.summary, .path,
        help: "Write the summary to FILE as JSON"),
    ]

  /// The rows on where records go and in which format.
  package static let outputTable: [CommandOption<Self>] = [
    .value(
      "--output", short: "o", "FILE", \.output, .path,
      help: "Write to FILE (default: standard output)",
      details: "FILE is replaced atomically at the end of the run, and left untouched if nothing "
        + "changed. '-' is standard output."),
    .flag("--force", \.overwrites, help: "Replace FILE even if lqip did not write it"),
    .value(
      "--format", "FORMAT", \.format, .format,
      help: "Write ndjson, json or csv (default: by extension)",
      details: "'ndjson' is one JSON object per line, 'json' one object keyed by path, 'csv' a "
        + "table. Without a known extension, the format is ndjson."),
  ]

  /// The row on whom records are for, wherever they go.
  package static let profileOption: CommandOption<Self> = .value(
    "--profile", "PROFILE", \.profile, .choice,
    help: "Write the fields expected by mastodon, matrix, activitypub, nostr, next, hugo or "
      + "eleventy",
    details: "'plain', the default, writes every field. 'next', 'hugo' and 'eleventy' write one "
      + "JSON file that the site generator can import.")

  /// The row on what is made of an image.
  package static let kindsOption: CommandOption<Self> = kindsOption(
    default: "blurhash,lqip",
    details: " By default, a profile or --fields selects the placeholders that it contains.")

  /// The same, where the default follows from other things.
  package static func kindsOption(
    default kinds: String, details: String = ""
  ) -> CommandOption<Self> {
    .value(
      "--kinds", "KIND,...", \.kinds, .kinds,
      help: "Placeholders to generate: blurhash, lqip, thumbhash, preview, svg, css, palette "
        + "(default: \(kinds))",
      details: "All are computed in one pass. 'preview' is a tiny image as a data URL, 'svg' the "
        + "same in an SVG that blurs it, 'css' one integer, 'palette' the main colors.\(details)")
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

  private var content: OutputContent {
    if text != nil { return .lines }
    return format == nil ? .records : .formattedRecords
  }

  /// Refuses names that the profile's records do not have.
  package func validate() throws(UsageError) {
    if text != nil, format != nil || profile != .plain || fields != nil || kinds != nil {
      throw .conflict("--text cannot be combined with --format, --profile, --fields or --kinds")
    }
    if let summary, summary.normalized == output?.normalized {
      throw .conflict("--summary and --output cannot be the same file")
    }
    try content.check(output)
    try OutputContent.summary.check(summary, option: "--summary")
    let names = RecordLayout.fields(of: profile)
    for (index, name) in (fields ?? []).enumerated() {
      guard names.contains(name), fields?.firstIndex(of: name) == index else {
        let advice: Advice? =
          names.contains(name)
          ? .note("each at most once")
          : Suggestion.nearest(to: name, among: names).map { .word($0) }
        throw .invalidValue(
          name, option: "--fields",
          allowed: "a comma-separated list of: \(names.joined(separator: ", "))",
          advice)
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

extension OptionValue<RecordFormat> {
  /// A format by its name, or by the other name of lines of JSON.
  fileprivate static var format: Self {
    let choice = Self.choice
    return OptionValue(
      allowed: choice.allowed, completion: choice.completion,
      advice: { $0.lowercased() == "jsonl" ? .word("ndjson") : choice.advice($0) },
      parse: choice.parse)
  }
}

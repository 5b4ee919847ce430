import LqipOptions
import LqipPages
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// Inserts placeholders into the pages of a built website.
struct HTMLCommand: Command {
  var encoding = EncodingOptions()
  /// The root directory of the site.
  var site: FilePath?
  /// The directory for a copy of the site; `nil` to change the pages in place.
  var output: FilePath?
  /// The file with the records of the images; `nil` for a file beside the site.
  var cache: FilePath?
  var kind = PlaceholderKind.lqip
  var address = SiteAddress.root
  /// Whether placeholders are `data-` attributes, for pages whose policy forbids `style`.
  var isStrict = false
  /// Whether pages are only checked.
  var checks = false

  private static let kinds: [PlaceholderKind] = [
    .lqip, .css, .preview, .tiny, .thumbHash, .blurHash,
  ]

  static let text = CommandText(
    name: "html",
    summary: "Insert placeholders into the pages of a built website",
    operand: "DIRECTORY",
    operandCompletion: .files,
    discussion: """
      Each <img> whose file is in DIRECTORY gets its missing 'width' and 'height', and a placeholder. Each \
      changed page gets a link to 'lqip-html.css', which is written to DIRECTORY. Nothing else in the \
      pages changes, and a second run changes nothing.

      Images that are missing or damaged are reported with page and line, and the exit status is 1. \
      Images in other formats or outside DIRECTORY, transparent images (unless a script draws the \
      placeholders) and images in <template>, <noscript> and <svg> get no placeholder.
      """,
    examples: [
      "Insert placeholders after building a site": "lqip html public",
      "Fail if a page lacks a placeholder": "lqip html --check public",
      "Write the changed site to another directory": "lqip html _site -o dist --url-prefix /blog/",
    ])

  static let groups: KeyValuePairs<String, [CommandOption<Self>]> = [
    "Output": [
      .value(
        "--output", short: "o", "DIRECTORY", { $0.output = $1 }, OptionValue<FilePath>.path,
        help: "Write a copy of the site to DIRECTORY (default: change it in place)"),
      .flag(
        "--check", { $0.checks = true },
        help: "Write nothing; report what is missing and exit with status 1",
        details: "Each line names a page, a line, an image and what it lacks."),
      .value(
        "--cache", "FILE", { $0.cache = $1 }, OptionValue<FilePath>.path,
        help: "Keep the records of the images in FILE",
        details:
          "FILE is NDJSON, as written by 'lqip encode --update'. The default is DIRECTORY.lqip.ndjson, "
          + "next to DIRECTORY. Only new or modified images are encoded."),
      EncodingOptions.quietOption.lifted(to: \.encoding),
    ],
    "Placeholders": [
      .value(
        "--kind", "KIND", { $0.kind = $1 }, .choice(of: kinds),
        help: "Set the placeholder kind: lqip (default), css, preview, tiny, thumbhash or blurhash",
        details:
          "'lqip', 'css' and 'preview' are set in 'style'. The others are 'data-' attributes, which the "
          + "script of @lqip/browser draws."),
      .flag(
        "--strict", { $0.isStrict = true },
        help: "Write 'data-' attributes instead of 'style', for a strict policy",
        details: "The page must load the script of @lqip/browser."),
      .value(
        "--url-prefix", "URL", { $0.address = $1 },
        OptionValue<SiteAddress>(
          allowed: "a path or URL that ends with '/', such as /blog/ or https://example.org/blog/"
        ) { SiteAddress($0.text) },
        help: "Set the path or URL of DIRECTORY on the server (default: /)"),
    ],
    "Limits": EncodingOptions.limitTable.map { $0.lifted(to: \.encoding) },
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    guard site == nil else { throw .unexpectedOperand(operand.text) }
    site = try operand.path(for: "DIRECTORY")
  }

  func validate() throws(UsageError) {
    guard site != nil else { throw .missingOperand("DIRECTORY") }
    if checks, output != nil { throw .conflict("--check cannot be combined with --output") }
  }

  func run() throws(CommandError) -> ExitStatus {
    guard let site else { return .usage }
    if let output {
      if output.isInside(site) { throw .usage("-o '\(output)' is inside the site '\(site)'") }
      if site.isInside(output) { throw .usage("the site '\(site)' is inside -o '\(output)'") }
    }
    var encoding = encoding
    encoding.records.kinds = [kind]
    encoding.records.base = site
    if let cache {
      encoding.records.output.path = cache
    } else {
      encoding.records.output.path = try Self.defaultCache(of: site)
    }
    guard PageScan.hasParser else {
      throw .failed("'lqip html' requires Gumbo; install libgumbo1")
    }
    let pageWorkers = try CommandError.catching({ .output("\($0)") }) {
      try WorkerSupply(PageScan.workers(encoding.sandbox))
    }
    // The failure of a page is reported with its name.
    pageWorkers.observe { _ in }
    let workers = try EncodingPlan(encoding).startWorkers()
    let signals = try EncodingPlan.observeSignals()
    let files = try SiteFiles(in: site)
    if let output { try Self.checkOutput(output) }
    var editor = SiteEditor(self, of: site, until: signals)
    try editor.read(files, WorkerLease(pageWorkers))
    try editor.encode(encoding, workers)
    if let output, signals.received == nil {
      // The stylesheet comes first: it permits the next run to continue a copy that failed.
      try files.makeDirectories(in: output)
      try editor.writeStylesheet()
      try files.copyOthers(from: site, to: output, with: editor.largePages)
    }
    try editor.write()
    return editor.report()
  }

  /// Refuses to write into a directory of other files.
  private static func checkOutput(_ output: FilePath) throws(CommandError) {
    let isEmpty = try? SiteFiles(in: output).isEmpty
    let sheet = try? FileStatus(
      of: output.appending(FilePath(PageScan.stylesheet)), followsLinks: true)
    if isEmpty == false, sheet == nil {
      throw .output("\(output): not empty, and not written by 'lqip html'")
    }
  }

  private static func defaultCache(of site: FilePath) throws(CommandError) -> FilePath {
    let directory = try CommandError.catching(
      { .failed("cannot resolve the current directory: \($0)") }, { try FilePath.workingDirectory })
    let isAbsolute = site.bytes.first == FilePath.separator
    let names = (isAbsolute ? site : directory.appending(site)).lexicalNames
    guard !names.isEmpty else { throw .usage("'\(site)' requires --cache FILE") }
    let path = names.map { [FilePath.separator] + $0 }.joined()
    return FilePath(path + Array(".lqip.ndjson".utf8))
  }

  /// Whether placeholders are attributes, which a script draws, instead of declarations.
  var usesAttributes: Bool {
    isStrict || [.tiny, .thumbHash, .blurHash].contains(kind)
  }

  /// Returns the stylesheet that pages link.
  func stylesheet(_ heights: HeightRules) -> [UInt8] {
    let placeholders =
      switch kind {
      case .lqip: LQIP.stylesheet
      case .css: CSSInteger.stylesheet
      default: ""
      }
    return Array("\(PageScan.sizeRules)\(heights.text)\(placeholders)".utf8)
  }
}

import LqipSystem
import LqipRecords

/// Writes a web page that shows images over their placeholders.
struct GalleryCommand: Command {
  var encoding = EncodingOptions()
  var records = RecordOptions()
  var output = OutputOptions()

  static let name = "gallery"
  static let summary = "Write a web page that shows images with their placeholders"
  static let operand = EncodingOptions.operand
  static let operandCompletion = Completion.files
  static let discussion = """
    \(EncodingOptions.pathDiscussion)

    The page is a single HTML file that can be opened without a server. Images are linked, not embedded.
    """

  static let details = """
    \(EncodingOptions.pathDetails)

    The page shows each image over its placeholder; press and hold an image to see what visitors \
    see while it loads. Placeholder strings can be copied, and failures are listed at the end. Links to the \
    images are relative to the page, or to the current directory if the page is written to \
    standard output.

    On SIGINT, SIGTERM or SIGHUP, an existing FILE is left unchanged; a page on standard output is \
    completed with the finished images.
    """

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Output",
      OutputOptions.table(
        details: "FILE is replaced atomically at the end of the run. '-' is standard output."
      ).map { $0.lifted(to: \.output) } + [EncodingOptions.quietOption.lifted(to: \.encoding)]),
    OptionGroup(
      "Placeholders",
      [RecordOptions.kindsOption.lifted(to: \.records)]
        + PlaceholderOptions.table.map { $0.lifted(to: \.encoding.placeholders) }),
    OptionGroup("Selection", WalkOptions.table.map { $0.lifted(to: \.encoding.walk) }),
    OptionGroup("Limits", EncodingOptions.limitTable.map { $0.lifted(to: \.encoding) }),
  ]

  static let basics = ["--output", "--kinds", "--include", "--jobs"]

  static let examples = [
    CommandExample(
      purpose: "View the images in a directory next to their placeholders",
      line: "lqip gallery photos -o gallery.html"),
    CommandExample(
      purpose: "Compare several placeholder kinds",
      line: "lqip gallery photos --kinds blurhash,lqip,thumbhash,svg -o gallery.html"),
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    let path = try operand.path(for: "PATH")
    try CommandAdvice.check(operand, of: Self.name)
    encoding.paths.append(path)
  }

  func validate() throws(UsageError) {
    try encoding.validate()
    try OutputContent.page.check(output.path)
  }

  func run() throws(CommandError) -> ExitStatus {
    let page = try page
    var encoding = encoding
    encoding.kinds = records.chosenKinds
    let workers = try encoding.startWorkers()
    let signals = try EncodingOptions.observeSignals()
    let destination = try output.destination(apartFrom: encoding.inputs, GalleryPage.isOutput)
    var output = try OutputFile(destination)
    try output.write(page.beginning.bytes)
    var failures: [UInt8] = []
    let summary = try encoding.run(
      encoding.fileEncoder, workers: workers, render: { page.item(for: $0).bytes }, until: signals,
      writesToTerminal: output.isTerminal
    ) { event throws(CommandError) in
      guard case .entry(let item) = event.output else { return }
      if case .encoded = event.outcome { try output.write(item) } else { failures += item }
    }
    guard !summary.isOutputClosed else { return summary.report() }
    if summary.signal != nil, destination.file != nil {
      StandardError.print("interrupted: \(destination) is unchanged")
      return summary.report()
    }
    try output.write(page.end(summary, failures: failures))
    try output.commit()
    return summary.report()
  }

  private var page: GalleryPage {
    get throws(CommandError) {
      do {
        return GalleryPage(
          directory: output.path?.directory ?? FilePath([]),
          workingDirectory: try .workingDirectory, kinds: records.chosenKinds)
      } catch {
        throw .failed("cannot resolve the current directory: \(error)")
      }
    }
  }
}

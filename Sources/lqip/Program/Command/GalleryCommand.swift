import LqipOptions
import LqipRecords
import LqipSystem

/// Writes a web page that shows images next to their placeholders.
struct GalleryCommand: Command {
  var encoding = EncodingOptions()

  static let text = CommandText(
    name: "gallery",
    summary: "Write a web page that shows images with their placeholders",
    operand: EncodingOptions.operand,
    operandCompletion: .files,
    discussion: """
      \(EncodingOptions.pathDiscussion)

      The page is a single HTML file that can be opened without a server. Images are linked, not embedded.
      """,
    examples: [
      "View the images in a directory next to their placeholders":
        "lqip gallery photos -o gallery.html",
      "Compare several placeholder kinds":
        "lqip gallery photos --kinds blurhash,lqip,thumbhash,svg -o gallery.html",
    ])

  static let groups: KeyValuePairs<String, [CommandOption<Self>]> = [
    "Output": OutputOptions.table(
      details: "FILE is replaced atomically at the end of the run. '-' is standard output."
    ).map { $0.lifted(to: \.encoding.records.output) }
      + [EncodingOptions.quietOption.lifted(to: \.encoding)],
    "Placeholders": EncodingOptions.placeholderTable.map { $0.lifted(to: \.encoding) },
    "Selection": WalkOptions.table.map { $0.lifted(to: \.encoding.walk) },
    "Limits": EncodingOptions.limitTable.map { $0.lifted(to: \.encoding) },
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    try encoding.take(operand)
  }

  func validate() throws(UsageError) {
    try encoding.validate()
    try encoding.records.output.checkExtension(in: ["html", "htm"])
  }

  func run() throws(CommandError) -> ExitStatus {
    let options = encoding.records.output
    let directory = try CommandError.catching(
      { .failed("cannot resolve the current directory: \($0)") }, { try FilePath.workingDirectory })
    let plan = EncodingPlan(encoding)
    let workers = try plan.startWorkers()
    let signals = try EncodingPlan.observeSignals()
    let destination = try options.destination(apartFrom: encoding.inputs, GalleryPage.isOutput)
    // The links in a page on standard output are relative to the working directory.
    let page = GalleryPage(
      directory: destination.file.flatMap { _ in options.path?.directory } ?? FilePath([]),
      workingDirectory: directory, kinds: encoding.records.chosenKinds)
    var output = try OutputFile(destination)
    try output.write(page.beginning.bytes)
    var failures: [UInt8] = []
    let summary = try plan.run(
      encoding.fileEncoder, workers: workers, render: { page.item(for: $0).bytes }, until: signals,
      writesToTerminal: output.isTerminal
    ) { event throws(CommandError) in
      guard case .entry(let item) = event.output else { return }
      if case .encoded = event.outcome { try output.write(item) } else { failures += item }
    }
    guard !summary.isOutputClosed else { return summary.report() }
    if summary.signal != nil || summary.foundNoImages, destination.file != nil {
      if summary.signal != nil { StandardError.print("interrupted: \(destination) is unchanged") }
      return summary.report()
    }
    try output.write(page.end(summary, failures: failures))
    try output.commit()
    return summary.report()
  }
}

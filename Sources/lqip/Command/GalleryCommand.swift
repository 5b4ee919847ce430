internal import LqipBatch
internal import LqipFiles
internal import LqipOptions
internal import LqipRecords

/// Writes a page that shows images beside their placeholders.
struct GalleryCommand: Command {
  var encoding = EncodingOptions()
  var records = RecordOptions()
  var output = OutputOptions()

  static let name = "gallery"
  static let summary = "Write a web page that shows images beside their placeholders."
  static let operand = EncodingOptions.operand
  static let operandCompletion = Completion.files
  static let discussion = """
    \(EncodingOptions.pathDiscussion)

    The page is one file that opens without a server. It shows each image, its BlurHash and its \
    LQIP, or the kinds that were chosen, as a viewer will see them, and the strings to copy; or \
    why there are none. It refers to \
    the images by where they lie from its own directory, or from the current one if it goes to \
    standard output, and contains nothing of them but the placeholders.

    SIGINT, SIGTERM and SIGHUP end the work early: FILE then stays as it was, and what goes to \
    standard output is ended as a page of what was done.

    The exit code is 0 if all were encoded, 1 if some images failed, 2 if the command line is \
    wrong, 3 if the page was not written, 4 if what it is to show could not be listed whole, 130, \
    143 or 129 after SIGINT, SIGTERM or SIGHUP, and 141 if the reader of the output has closed it.
    """

  static let options: [CommandOption<Self>] =
    OutputOptions.table(
      help: "Write to FILE, which is replaced once all is done; '-' is standard output."
    ).map { $0.lifted(to: \.output) } + [
      RecordOptions.kindsOption(default: "'blurhash,lqip'").lifted(to: \.records)
    ] + EncodingOptions.table.map { $0.lifted(to: \.encoding) }

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    encoding.paths.append(try operand.path(for: "PATH"))
  }

  func validate() throws(UsageError) {
    try encoding.validate()
    try OutputContent.page.check(output.path)
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    let page = try page
    var encoding = encoding
    encoding.kinds = records.chosenKinds
    let signals = try EncodingOptions.listen()
    let destination = try OutputDestination(output.path)
    try destination.checkOverwriting(
      force: output.overwrites, apartFrom: encoding.inputs, GalleryPage.isOutput)
    var output = try OutputFile(destination)
    try output.write(page.beginning.bytes)
    let summary = try encoding.run(
      encoding.fileEncoder, render: { page.item(for: $0).bytes }, until: signals,
      writesToTerminal: output.isTerminal
    ) { event throws(CommandError) in
      switch event {
      case .record(_, let item), .unlisted(_, _, let item): try output.write(item)
      default: break
      }
    }
    guard !summary.isOutputClosed else { return summary.report() }
    if summary.signal != nil, destination.file != nil {
      StandardError.print("interrupted: \(destination) is left as it was")
      return summary.report()
    }
    try output.write(page.end(summary).bytes)
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
        throw .failed("cannot tell the current directory: \(error)")
      }
    }
  }
}

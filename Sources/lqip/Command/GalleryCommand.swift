internal import LqipBatch
internal import LqipFiles
internal import LqipOptions

/// Writes a page that shows images beside their placeholders.
struct GalleryCommand: Command {
  var encoding = EncodingOptions()
  var output: FilePath?

  static let name = "gallery"
  static let summary = "Write a web page that shows images beside their placeholders."
  static let operand = EncodingOptions.operand
  static let operandCompletion = Completion.files
  static let discussion = """
    \(EncodingOptions.pathDiscussion)

    The page is one file that opens without a server. It shows each image, its BlurHash and its \
    LQIP as a viewer will see them, and the strings to copy; or why there are none. It refers to \
    the images by where they lie from its own directory, or from the current one if it goes to \
    standard output, and contains nothing of them but the placeholders.

    The exit code is 0 if all were encoded, 1 if some failed or a directory has no images, and 2 \
    if the command line is wrong.
    """

  static let options: [CommandOption<Self>] =
    [
      .value(
        "--output", short: "o", "FILE", \.output, .path,
        help: "Write to FILE, which is replaced once all is done; '-' is standard output.")
    ] + EncodingOptions.table.map { $0.lifted(to: \.encoding) }

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    encoding.paths.append(operand.path)
  }

  func validate() throws(UsageError) {
    try encoding.validate()
  }

  @MainActor
  func run() async throws(CommandError) -> ExitStatus {
    let page = try page
    var output = try OutputFile(output)
    try output.write(page.beginning.bytes)
    let summary = try await encoding.run(
      encoding.fileEncoder, render: { page.item(for: $0).bytes },
      writesToTerminal: output.isTerminal
    ) { event throws(CommandError) in
      if case .record(_, let item) = event { try output.write(item) }
    }
    try output.write(page.end(summary).bytes)
    try output.commit()
    return summary.report()
  }

  private var page: GalleryPage {
    get throws(CommandError) {
      do {
        return GalleryPage(
          directory: output?.directory ?? FilePath([]),
          workingDirectory: try .workingDirectory)
      } catch {
        throw .failed("cannot tell the current directory: \(error)")
      }
    }
  }
}

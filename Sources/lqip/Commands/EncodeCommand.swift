/// Writes a record for each image among files and directories.
struct EncodeCommand: Command {
  var encoding = EncodingOptions()
  var output: FilePath?
  var format = RecordFormat.ndjson

  static let name = "encode"
  static let summary = "Write the placeholders of images: BlurHash, LQIP, size and average color."
  static let operand = EncodingOptions.operand
  static let discussion = """
    \(EncodingOptions.pathDiscussion)

    Each image gives one line of JSON, in byte order of the paths; if it cannot be encoded, the \
    line says why.

    The exit code is 0 if all were encoded, 1 if some failed or a directory has no images, and 2 \
    if the command line is wrong.
    """

  static let options: [CommandOption<Self>] =
    [
      .value(
        "--output", short: "o", "FILE", \.output, .path,
        help: "Write to FILE, which is replaced once all is done; '-' is standard output."),
      .value(
        "--format", "FORMAT", \.format, .choice,
        help: "How to write records: 'ndjson', a JSON object per line."),
    ] + EncodingOptions.table.map { $0.lifted(to: \.encoding) }

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    encoding.paths.append(operand.path)
  }

  func validate() throws(UsageError) {
    try encoding.validate()
  }

  @MainActor
  func run() async throws(CommandError) -> ExitStatus {
    let output = try OutputFile(output)
    let summary = try await encoding.run { record throws(CommandError) in
      try output.write(format.bytes(of: record))
    }
    try output.commit()
    return summary.report()
  }
}

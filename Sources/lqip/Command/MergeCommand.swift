internal import LqipFiles
internal import LqipOptions
internal import LqipRecords

/// Makes one output of several.
struct MergeCommand: Command {
  var inputs: [FilePath] = []
  var records = RecordOptions()

  static let name = "merge"
  static let summary = "Merge the outputs of several 'encode' runs into one"
  static let operand = "FILE..."
  static let operandCompletion = Completion.files
  static let discussion = """
    Each FILE must be an output of 'encode' that is sorted by path, such as that of a single \
    directory. If two records have the same path, the one from the first FILE is kept.
    """

  static let details = """
    The output is the same as from a single run over all images. The exit status is 4 if a FILE \
    cannot be read or is not sorted by path.
    """

  static let groups: [OptionGroup<Self>] = [
    OptionGroup("Options", RecordOptions.outputTable.map { $0.lifted(to: \.records) })
  ]

  static let examples = [
    CommandExample(
      purpose: "Merge the outputs of 'encode --shard 1/2' and '--shard 2/2'",
      line: "lqip merge part1.ndjson part2.ndjson -o placeholders.ndjson"),
    CommandExample(
      purpose: "Convert an output to CSV",
      line: "lqip merge placeholders.ndjson -o placeholders.csv"),
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    inputs.append(try operand.path(for: "FILE"))
  }

  func validate() throws(UsageError) {
    guard !inputs.isEmpty else { throw .missingOperand("FILE") }
    try OutputContent.records.check(records.output)
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    let destination = try OutputDestination(records.output)
    let sources = try inputs.map { name throws(CommandError) in try SortedRecords(name) }
    let names = try sources.first { $0.path != nil }?.names
    try destination.checkOverwriting(force: records.overwrites, apartFrom: inputs) {
      RecordForm.isOutput($0, like: names)
    }
    let layout = try layout(of: sources)
    var writer = RecordWriter(layout, pathsMayRepeat: false)
    var output = try OutputFile(destination)
    try output.write(writer.opening)
    while let source = sources.filter({ $0.path != nil }).min(by: Self.precedes),
      let path = source.path
    {
      let entry = try source.entry(in: layout)
      try source.advance()
      try output.write(writer.bytes(entry: entry))
      for other in sources {
        while other.path == path { try other.advance() }
      }
    }
    try output.write(writer.closing)
    try output.commit()
    return .success
  }

  /// What the records of the result look like.
  private func layout(of sources: [SortedRecords]) throws(CommandError) -> RecordLayout {
    let form = (sources.first { $0.path != nil } ?? sources.first)?.form
    let format = records.isFormatChosen ? records.chosenFormat : form?.format ?? .ndjson
    if let form, format != .csv || form.format == .csv && sources.allSatisfy({ $0.form == form }) {
      return RecordLayout(form, in: format)
    }
    // A table names its columns before the first record.
    var members = RecordMembers()
    for name in inputs {
      let records = try SortedRecords(name)
      while records.path != nil {
        members.add(try records.names)
        try records.advance()
      }
    }
    return members.table
  }

  private static func precedes(_ one: SortedRecords, _ other: SortedRecords) -> Bool {
    guard let one = one.path, let other = other.path else { return false }
    return one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}

import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Merges NDJSON outputs of `encode` by path, or converts them to another format.
struct ExportCommand: Command {
  var inputs: [FilePath] = []
  var records = RecordOptions()

  static let text = CommandText(
    name: "export",
    summary: "Merge 'encode' outputs or convert them to another format",
    operand: "FILE...",
    operandCompletion: .files,
    discussion: """
      Each FILE must be NDJSON from 'encode', sorted by path. If several records have the same path, \
      the one with the latest change time is kept; if the times are equal, the first is kept.
      """,
    examples: [
      "Merge the outputs of 'encode --shard 1/2' and '--shard 2/2'":
        "lqip export part1.ndjson part2.ndjson -o placeholders.ndjson",
      "Convert NDJSON to CSV": "lqip export placeholders.ndjson -o placeholders.csv",
    ])

  static let groups: KeyValuePairs = [
    "Options": (RecordOptions.outputTable + [RecordOptions.profileOption])
      .map { $0.lifted(to: \Self.records) }
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    inputs.append(try operand.path(for: "FILE"))
  }

  func validate() throws(UsageError) {
    guard !inputs.isEmpty else { throw .missingOperand("FILE") }
    try records.validate()
  }

  func run() throws(CommandError) -> ExitStatus {
    let destination = try records.output.destination(apartFrom: inputs, RecordLayout.isOutput)
    let layout = try layout
    let isCopied = layout.format == .ndjson && layout.profile == .plain
    var output = try OutputFile(destination)
    try output.write(layout.opening)
    var isEmpty = true
    try merge { path, text throws(CommandError) in
      let entry = isCopied ? text : layout.entry(of: try Self.members(of: text, at: path), at: path)
      try output.write(layout.element(entry, isFirst: isEmpty))
      isEmpty = false
    }
    try output.write(layout.closing(isEmpty: isEmpty))
    try output.commit()
    return .success
  }

  /// The layout of the output; the header of a CSV output lists the columns, which an extra pass over the inputs finds.
  private var layout: RecordLayout {
    get throws(CommandError) {
      let layout = records.layout
      guard layout.format == .csv, layout.profile == .plain else {
        return RecordLayout(
          layout.format, profile: layout.profile,
          kinds: layout.profile == .plain ? PlaceholderKind.allCases : nil)
      }
      var kinds: [PlaceholderKind] = []
      try merge { path, text throws(CommandError) in
        for member in try Self.members(of: text, at: path) {
          if let kind = PlaceholderKind(rawValue: member.name), !kinds.contains(kind) {
            kinds.append(kind)
          }
        }
      }
      return RecordLayout(.csv, kinds: kinds.isEmpty ? nil : kinds)
    }
  }

  private func merge(
    _ body: (FilePath, [UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    var merge = RecordMerge(announcing: "merging \(inputs.count) files")
    for input in inputs { try merge.add(input) }
    while let (path, text) = try merge.next() { try body(path, text) }
  }

  private static func members(
    of text: [UInt8], at path: FilePath
  ) throws(CommandError) -> [JSON.Member] {
    guard case .object(let members)? = try? JSON(parsing: text) else {
      throw .input("malformed record for \(path)")
    }
    return members
  }
}

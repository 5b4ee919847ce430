import LqipOptions
import LqipRecords
import LqipSystem
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
      the one with the latest change time is kept; if the times are equal, the first is kept. '-' is \
      standard input. Records that other programs have written, for example with 'null' or with \
      members in another order, are normalized.
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
    DescriptorLimit.raise()
    let destination = try records.output.destination(
      apartFrom: inputs, records.layout.isOutput)
    var merge = try Self.merge(inputs)
    let layout = try layout(of: &merge)
    let isCopied = layout.format == .ndjson && layout.profile == .plain
    var output = try OutputFile(destination)
    try output.write(layout.opening)
    var isEmpty = true
    while let (path, text) = try merge.next() {
      let entry = isCopied ? text : layout.entry(of: try Self.members(of: text, at: path), at: path)
      try output.write(layout.element(entry, isFirst: isEmpty))
      isEmpty = false
    }
    try output.write(layout.closing(isEmpty: isEmpty))
    try output.commit()
    return .success
  }

  /// The layout of the output; the header of a CSV output lists the columns, which an extra pass over the inputs finds.
  private func layout(of merge: inout RecordMerge) throws(CommandError) -> RecordLayout {
    let layout = records.layout
    guard layout.format == .csv, layout.profile == .plain else {
      return RecordLayout(
        layout.format, profile: layout.profile,
        kinds: layout.profile == .plain ? PlaceholderKind.allCases : nil)
    }
    var kinds: [PlaceholderKind] = []
    while let (path, text) = try merge.next() {
      for member in try Self.members(of: text, at: path) {
        if let kind = PlaceholderKind(rawValue: member.name), !kinds.contains(kind) {
          kinds.append(kind)
        }
      }
    }
    try merge.restart()
    return RecordLayout(.csv, kinds: kinds.isEmpty ? nil : kinds)
  }

  /// The maximum number of files that are merged at once.
  private static let fanIn = 512
  /// The number of descriptors reserved for the output.
  private static let otherDescriptorCount = 8

  /// Opens the files to merge; more files than can be open are first merged in groups, into temporary files.
  private static func merge(_ inputs: [FilePath]) throws(CommandError) -> RecordMerge {
    // A group is merged while the other files are open.
    let spare = SpareResources(upToDescriptors: 2 * fanIn + otherDescriptorCount)
    return try merge(
      inputs[...], upTo: max(2, (spare.descriptorCount - otherDescriptorCount) / 2))
  }

  private static func merge(
    _ inputs: ArraySlice<FilePath>, upTo limit: Int
  ) throws(CommandError) -> RecordMerge {
    var merge = RecordMerge(announcing: "merging \(inputs.count) files")
    let maximumGroupSize = max(limit, (inputs.count + limit - 1) / limit)
    var (rest, places) = (inputs, limit)
    while let first = rest.first {
      // Each record in a group is read twice, so the groups are no larger than necessary.
      let group = rest.prefix(max(1, min(rest.count - places + 1, maximumGroupSize)))
      if group.count == 1 {
        try merge.add(open(first), named: name(of: first))
      } else {
        var part = try Self.merge(group, upTo: limit)
        try merge.add(
          temporaryFile { try part.next().map { $0.text + "\n".utf8 } }, named: "a group")
      }
      rest = rest.dropFirst(group.count)
      places -= 1
    }
    return merge
  }

  private static func name(of input: FilePath) -> String {
    input == FilePath("-") ? "standard input" : "\(input)"
  }

  /// Opens a file to merge; the content of a pipe is copied to a temporary file, because a merge reads at offsets.
  private static func open(_ input: FilePath) throws(CommandError) -> FileDescriptor {
    try CommandError.catching({
      $0 as? CommandError ?? .input("\(name(of: input)): cannot read: \($0)")
    }) {
      let file =
        input == FilePath("-")
        ? try FileDescriptor(duplicating: STDIN_FILENO)
        : try FileDescriptor(opening: input, O_RDONLY)
      guard try FileStatus(of: file.number).kind == .other else { return file }
      return try temporaryFile {
        let bytes = try FileDescriptor.readNext(file.number, upTo: 1 << 16)
        return bytes.isEmpty ? nil : bytes
      }
    }
  }

  /// Creates a temporary file with the bytes that `next` returns until it returns `nil`.
  private static func temporaryFile(
    _ next: () throws -> [UInt8]?
  ) throws(CommandError) -> FileDescriptor {
    try CommandError.catching({
      $0 as? CommandError ?? .output("temporary file: cannot write: \($0)")
    }) {
      let file = try FileDescriptor(temporaryFor: "export")
      var buffer: [UInt8] = []
      while let bytes = try next() {
        buffer += bytes
        guard buffer.count >= 1 << 16 else { continue }
        try FileDescriptor.writeAll(buffer, to: file.number)
        buffer.removeAll(keepingCapacity: true)
      }
      try FileDescriptor.writeAll(buffer, to: file.number)
      return file
    }
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

import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// Renders placeholder strings as PNG images or in the terminal.
struct DecodeCommand: Command {
  var strings: [String] = []
  var output = OutputOptions()
  /// The kind of the strings; `nil` to detect it.
  var kind: PlaceholderKind?
  var writesDataURLs = false
  var options = PreviewOptions()

  static let text = CommandText(
    name: "decode",
    summary: "Render placeholders as PNG images or in the terminal",
    operand: "STRING...",
    takesNegativeNumbers: true,
    discussion: """
      STRING is a BlurHash, a ThumbHash or tiny JPEG in base64, an LQIP such as '#ccd94c11' or a CSS \
      integer such as 192900. Quote STRING in the shell. '-' reads strings from standard input, one \
      per line.

      Several images are written to a directory as 1.png, 2.png and so on; an empty line produces no \
      image but is still counted. lqip reports malformed strings and renders the others; the exit \
      status is then 1.
      """,
    examples: [
      "Show a BlurHash in the terminal": "lqip decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'",
      "Write the preview of an LQIP to a file": "lqip decode '#6590f691' -o preview.png",
    ])

  static let groups: KeyValuePairs<String, [CommandOption<Self>]> = [
    "Output": OutputOptions.table(
      help: "Write to FILE (a directory if there are multiple images)",
      details: "By default, and for '-', the image is written to standard output."
    ).map { $0.lifted(to: \.output) } + [
      .flag("--data-url", { $0.writesDataURLs = true }, help: "Write data URLs, one per line")
    ],
    "Rendering": [
      .value(
        "--kind", "KIND", { $0.kind = $1 }, .choice(of: kinds),
        help: "Set the kind: \(kinds.map(\.rawValue).alternatives) (default: auto-detected)")
    ] + PreviewOptions.table(maximumSide: maximumSide).map { $0.lifted(to: \.options) },
  ]

  private static let kinds = PlaceholderKind.drawn.map(\.kind)
  /// The maximum width and height in pixels, which bound the memory for a preview.
  private static let maximumSide = 4096
  /// The operand for strings on standard input, one per line.
  private static let list = "-"
  private static let prefix = ImageFormat.png.dataURLPrefix
  /// The maximum width of a preview in the terminal, in columns.
  private static let maximumColumnCount = 64

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    strings.append(operand.text)
  }

  func validate() throws(UsageError) {
    guard !strings.isEmpty else {
      throw .conflict(
        "\(UsageError.missingOperand(Self.text.operand)); quote a string that starts with '#'")
    }
    guard strings.count(where: { $0 == Self.list }) < 2 else {
      throw .conflict("'-' can be used only once")
    }
    for string in strings where string != Self.list {
      if let kind = kind ?? PlaceholderKind(of: string), let reason = options.conflict(with: kind) {
        throw .conflict(reason)
      }
    }
    if writesDataURLs {
      try output.checkExtension(in: ["txt"])
    } else if hasSeveral {
      try output.checkExtension(
        in: [], otherwise: "multiple images require an output directory; pass -o DIRECTORY")
    } else {
      try output.checkExtension(in: ["png"])
    }
  }

  private var hasSeveral: Bool {
    strings.count > 1 || strings.contains(Self.list)
  }

  func run() throws(CommandError) -> ExitStatus {
    if hasSeveral { return try renderSeveral() }
    var options = options
    let terminal = output.path == nil && !writesDataURLs ? Terminal.ofStandardOutput : nil
    if let terminal {
      guard terminal.hasColor else {
        throw .usage("the terminal does not support color; pass -o FILE or --data-url")
      }
      if options.width == nil, options.height == nil {
        options.width = min(Self.maximumColumnCount, max(1, Terminal.width(of: STDOUT_FILENO) - 1))
      }
    }
    let preview: Preview
    do {
      preview = try self.preview(of: strings[0], options)
    } catch {
      switch error {
      case .malformed(let reason): throw .failed(reason)
      case .conflict(let reason): throw .usage(reason)
      }
    }
    if terminal != nil {
      let bitmap = try CommandError.catching({ .failed("\($0)") }) { try preview.bitmap() }
      try output.replace(with: Array(HalfBlocks.text(bitmap).utf8)) { _ in true }
    } else if writesDataURLs {
      try output.replace(with: try line(of: preview), Self.hasDataURLs)
    } else {
      try write(preview, to: output)
    }
    return .success
  }

  /// Renders each string as soon as it arrives, and reports malformed strings.
  private func renderSeveral() throws(CommandError) -> ExitStatus {
    if writesDataURLs { return try renderDataURLs() }
    guard let directory = output.path, directory != FilePath("-") else {
      throw .usage(
        "multiple images require an output directory; pass -o DIRECTORY, or use --data-url")
    }
    return try renderEach { number, preview throws(CommandError) in
      if number == 1 {
        try CommandError.catching({ .output("\(directory): cannot create directory: \($0)") }) {
          try directory.makeDirectory()
        }
      }
      guard let preview else { return }
      var file = output
      file.path = directory + "/\(number).png".utf8
      try write(preview, to: file)
    }
  }

  /// Writes one data URL per line; the line of an image that cannot be rendered is empty.
  private func renderDataURLs() throws(CommandError) -> ExitStatus {
    let destination = try output.destination(Self.hasDataURLs)
    // Standard input may stay open for long, so a signal must remove the draft.
    let signals = destination.file == nil ? nil : try EncodingPlan.observeSignals()
    var file = try OutputFile(destination)
    if let draft = file.draft {
      signals?.onSignal { number in
        OutputFile.remove(draft)
        _exit(128 + number)
      }
    }
    let status = try renderEach { _, preview throws(CommandError) in
      try file.write(try line(of: preview))
    }
    try file.commit()
    return status
  }

  /// Passes the number and the preview of each string to `receive`; returns `.failure` if a string is malformed.
  private func renderEach(
    _ receive: (Int, Preview?) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitStatus {
    var status = ExitStatus.success
    var number = 0
    func render(_ text: String, line: Int? = nil) throws(CommandError) {
      number += 1
      var preview: Preview?
      do throws(PreviewError) {
        if line == nil || !text.isEmpty { preview = try self.preview(of: text, options) }
      } catch {
        StandardError.print(Self.errorMessage(error, of: text, line: line))
        status = .failure
      }
      try receive(number, preview)
    }
    for string in strings {
      guard string == Self.list else {
        try render(string)
        continue
      }
      var lines = LineReader(STDIN_FILENO)
      while let line = try Self.nextLine(from: &lines) { try render(line, line: lines.count) }
      guard lines.count > 0 else { throw .input("standard input: empty") }
    }
    return status
  }

  private static func nextLine(from lines: inout LineReader) throws(CommandError) -> String? {
    do {
      guard let line = try lines.next() else { return nil }
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
      return String(decoding: content, as: UTF8.self)
    } catch {
      guard error == .nameTooLong else { throw .input("standard input: \(error)") }
      throw .input("standard input, line \(lines.count + 1): too long for a placeholder")
    }
  }

  private static func errorMessage(_ error: PreviewError, of text: String, line: Int?) -> String {
    let place = line.map { "standard input, line \($0): " }
    switch error {
    case .malformed(let reason): return (place ?? "") + reason
    case .conflict(let reason): return (place ?? "\(FilePath(text)): ") + reason
    }
  }

  /// Parses a placeholder as the kind that is set or, if none is set, as the detected kind.
  private func preview(of text: String, _ options: PreviewOptions) throws(PreviewError) -> Preview {
    do throws(PreviewError) {
      guard let kind = kind ?? PlaceholderKind(of: text) else { throw .unrecognized(text) }
      return try options.preview(of: text, as: kind, maximumSide: Self.maximumSide)
    } catch {
      guard case .malformed(let reason) = error else { throw error }
      throw .malformed(reason + Advice.decoding(text))
    }
  }

  private func png(of preview: Preview) throws(CommandError) -> [UInt8] {
    try CommandError.catching({ .failed("\($0)") }) { try preview.bitmap().pngData() }
  }

  private func write(_ preview: Preview, to output: OutputOptions) throws(CommandError) {
    let png = try png(of: preview)
    try output.replace(with: png) { Preview.isOutput($0, like: png) }
  }

  /// Returns the data URL of a preview as a line; the line is empty without a preview.
  private func line(of preview: Preview?) throws(CommandError) -> [UInt8] {
    guard let preview else { return Array("\n".utf8) }
    return Array("\(Self.prefix)\(Base64.encode(try png(of: preview)))\n".utf8)
  }

  /// Returns whether the beginning of a file is that of an output with data URLs, which may be replaced.
  private static func hasDataURLs(_ beginning: [UInt8]) -> Bool {
    let line = beginning.drop { $0 == UInt8(ascii: "\n") }
    return line.isEmpty || line.starts(with: prefix.utf8)
  }
}

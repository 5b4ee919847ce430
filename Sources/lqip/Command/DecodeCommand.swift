internal import LqipFiles
internal import LqipOptions
internal import PlaceholderEncoding
internal import LqipRecords

/// Draws placeholder strings as PNG images.
struct DecodeCommand: Command {
  var strings: [String] = []
  var output = OutputOptions()
  /// What the strings are; nil to tell by their form.
  var kind: PreviewKind?
  /// Whether images are written as lines of text.
  var writesDataURLs = false
  var options = PreviewOptions()

  static let name = "decode"
  static let summary = "Draw a BlurHash, an LQIP or a ThumbHash as a PNG image."
  static let operand = "STRING..."
  static let discussion = """
    A STRING is a BlurHash, a ThumbHash in base64, an LQIP such as '#ccd94c11' or the integer of \
    '--kinds css'. Put quotes around it; one that begins with '-' and is no number goes \
    after '--'. The string '-' reads more of them \
    from standard input, one per line; an empty line gives no image, yet counts as one.

    One image goes to the output, or onto a terminal as colored blocks. Several go into a \
    directory, as 1.png, 2.png and so on, or with '--data-url' to the output, one per line. What \
    else the directory has stays, also from a longer list. Of several strings, one that cannot be \
    drawn is named and costs no other its image; as a data URL it is an empty line.

    An image is 256 pixels wide unless told otherwise. If only one side is given, the other \
    follows: by the ratio of the components for a BlurHash, by the shape for a ThumbHash, as a \
    square for an LQIP.

    The exit code is 0 if all was written, 1 if a string cannot be drawn, 2 if the command line is \
    wrong, 3 if an image cannot be written, 4 if standard input cannot be read or is empty, and 141 \
    if the reader of the output has closed it.
    """

  static let options: [CommandOption<Self>] =
    OutputOptions.table(
      help: "Write to FILE, for several images a directory; '-' is standard output, the default."
    ).map { $0.lifted(to: \.output) } + [
      .value(
        "--kind", "KIND", \.kind, .choice,
        help: "What the strings are: 'blurhash', 'lqip', 'thumbhash' or 'css'. Default: by their "
          + "form."),
      .flag("--data-url", \.writesDataURLs, help: "Write a data URL a line in place of files."),
    ] + PreviewOptions.table(maximumSide: maximumSide).map { $0.lifted(to: \.options) }

  /// Bounds the memory that a preview takes, far above any that is looked at.
  private static let maximumSide = 4096
  /// The longest list that is read.
  private static let maximumListByteCount = 64 << 20
  private static let prefix = ImageFormat.png.dataURLPrefix
  /// As large as a terminal's window is at least.
  private static let maximumColumnCount = 64

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    strings.append(operand.text)
  }

  func validate() throws(UsageError) {
    guard !strings.isEmpty else {
      let reason = UsageError.missingOperand(Self.operand)
      throw .conflict("\(reason); one that begins with '#' needs quotes in a shell")
    }
    guard strings.count(where: { $0 == "-" }) < 2 else {
      throw .conflict("standard input can be read once; give one '-'")
    }
    for string in strings where string != "-" {
      if let kind = kind ?? PreviewKind(of: string), let reason = options.conflict(with: kind) {
        throw .conflict(reason)
      }
    }
    try content.check(output.path)
  }

  /// What goes to the output.
  private var content: OutputContent {
    if writesDataURLs { return .dataURLs }
    return strings.count > 1 || strings.contains("-") ? .images : .image
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    let isList = strings.contains("-")
    let items = try items
    guard items.count == 1, !isList else { return try drawSeveral(items) }
    let item = items[0]
    if output.path == nil, !writesDataURLs, let terminal = Terminal.ofStandardOutput {
      guard terminal.hasColor else {
        throw .usage("a PNG image is not for a terminal without color; give '--output FILE'")
      }
      let text = HalfBlocks.text(try smallBitmap(of: item))
      try output.replace(with: Array(text.utf8)) { _ in true }
    } else if writesDataURLs {
      try writeLines([try preview(of: item, options)])
    } else {
      let png = try png(of: try preview(of: item, options).bitmap)
      try output.replace(with: png) { Preview.isOutput($0, like: png) }
    }
    return .success
  }

  /// Draws what can be drawn, and names what cannot.
  private func drawSeveral(_ items: [Item]) throws(CommandError) -> ExitStatus {
    guard writesDataURLs || output.path ?? FilePath("-") != FilePath("-") else {
      throw .usage("several images need '--output DIRECTORY' or '--data-url'")
    }
    var status = ExitStatus.success
    var previews: [Preview?] = []
    for item in items {
      do throws(PreviewError) {
        previews.append(item.isNothing ? nil : try drawing(of: item, options))
      } catch {
        StandardError.print(item.complaint(error))
        previews.append(nil)
        status = .failure
      }
    }
    try writesDataURLs ? writeLines(previews) : writeFiles(previews)
    return status
  }

  /// A string, and the line of the list that it is.
  private struct Item {
    let text: String
    var line: Int?

    /// Whether it stands for an image that has no string.
    var isNothing: Bool {
      text.isEmpty && line != nil
    }

    /// What is said of it among others.
    func complaint(_ error: PreviewError) -> String {
      let place = line.map { "standard input, line \($0): " }
      switch error {
      case .malformed(let reason): return (place ?? "") + reason
      case .conflict(let reason): return (place ?? "\(FilePath(text)): ") + reason
      }
    }
  }

  /// The strings of the command line, with those of the list in place of its name.
  private var items: [Item] {
    get throws(CommandError) {
      let items = strings.map { Item(text: $0) }
      guard let list = strings.firstIndex(of: "-") else { return items }
      var text: [UInt8]
      do {
        text = try StandardInput.bytes(upTo: Self.maximumListByteCount + 1)
      } catch {
        throw .input("cannot read strings from standard input: \(error)")
      }
      guard !text.isEmpty else { throw .input("standard input is empty") }
      guard text.count <= Self.maximumListByteCount else {
        throw .input("standard input has more than \(Self.maximumListByteCount >> 20) MiB")
      }
      if text.last == UInt8(ascii: "\n") { text.removeLast() }
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let listed = lines.enumerated().map { index, line in
        let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return Item(text: String(decoding: content, as: UTF8.self), line: index + 1)
      }
      return items[..<list] + listed + items[(list + 1)...]
    }
  }

  private func drawing(
    of item: Item, _ options: PreviewOptions
  ) throws(PreviewError) -> Preview {
    guard let kind = kind ?? PreviewKind(of: item.text) else { throw .unrecognized(item.text) }
    return try options.preview(of: item.text, as: kind, maximumSide: Self.maximumSide)
  }

  private func preview(
    of item: Item, _ options: PreviewOptions
  ) throws(CommandError) -> Preview {
    do {
      return try drawing(of: item, options)
    } catch {
      switch error {
      case .malformed(let reason): throw .failed(reason)
      case .conflict(let reason): throw .usage(reason)
      }
    }
  }

  /// As large as the window allows, unless a size is asked for.
  private func smallBitmap(of item: Item) throws(CommandError) -> Bitmap {
    var options = options
    if options.width == nil, options.height == nil {
      options.width = min(Self.maximumColumnCount, max(1, Terminal.width - 1))
    }
    return try preview(of: item, options).bitmap
  }

  private func png(of bitmap: Bitmap) throws(CommandError) -> [UInt8] {
    do {
      return try PNGWriter.bytes(of: bitmap)
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Writes a data URL a line, which is empty where there is no image.
  private func writeLines(_ previews: [Preview?]) throws(CommandError) {
    var lines: [UInt8] = []
    for preview in previews {
      if let preview {
        lines += "\(Self.prefix)\(Base64.encode(try png(of: preview.bitmap)))".utf8
      }
      lines += "\n".utf8
    }
    try output.replace(with: lines) { descriptor in
      let beginning = try? FileDescriptor.read(descriptor, at: 0, upTo: 4096)
      let line = beginning?.drop { $0 == UInt8(ascii: "\n") }
      return line.map { $0.isEmpty || $0.starts(with: Self.prefix.utf8) } ?? false
    }
  }

  private func writeFiles(_ previews: [Preview?]) throws(CommandError) {
    guard let directory = output.path else { return }
    do throws(SystemError) {
      try directory.makeDirectory()
    } catch {
      throw .output("cannot make \(directory): \(error)")
    }
    for case (let index, let preview?) in previews.enumerated() {
      let png = try png(of: preview.bitmap)
      var file = output
      file.path = directory + "/\(index + 1).png".utf8
      try file.replace(with: png) { Preview.isOutput($0, like: png) }
    }
  }
}

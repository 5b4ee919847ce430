internal import LqipBatch
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
    from standard input, one per line, and each is drawn as soon as it is there; an empty line \
    gives no image, yet counts as one.

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
    guard strings.count(where: { $0 == StringList.name }) < 2 else {
      throw .conflict("standard input can be read once; give one '-'")
    }
    for string in strings where string != StringList.name {
      if let kind = kind ?? PreviewKind(of: string), let reason = options.conflict(with: kind) {
        throw .conflict(reason)
      }
    }
    try content.check(output.path)
  }

  /// What goes to the output.
  private var content: OutputContent {
    if writesDataURLs { return .dataURLs }
    return strings.count > 1 || strings.contains(StringList.name) ? .images : .image
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    guard strings.count == 1, strings[0] != StringList.name else { return try drawSeveral() }
    let text = strings[0]
    if output.path == nil, !writesDataURLs, let terminal = Terminal.ofStandardOutput {
      guard terminal.hasColor else {
        throw .usage("a PNG image is not for a terminal without color; give '--output FILE'")
      }
      let blocks = HalfBlocks.text(try smallBitmap(of: text))
      try output.replace(with: Array(blocks.utf8)) { _ in true }
    } else if writesDataURLs {
      let line = try line(of: try preview(of: text, options))
      try output.replace(with: line, Self.hasDataURLs)
    } else {
      let png = try png(of: try preview(of: text, options).bitmap)
      try output.replace(with: png) { Preview.isOutput($0, like: png) }
    }
    return .success
  }

  /// Draws what can be drawn, each as soon as its string is there, and names what cannot.
  private func drawSeveral() throws(CommandError) -> ExitStatus {
    if writesDataURLs { return try drawLines() }
    guard let directory = output.path, directory != FilePath("-") else {
      throw .usage("several images need '--output DIRECTORY' or '--data-url'")
    }
    return try drawEach { number, preview throws(CommandError) in
      if number == 1 {
        do throws(SystemError) {
          try directory.makeDirectory()
        } catch {
          throw .output("cannot make \(directory): \(error)")
        }
      }
      guard let preview else { return }
      let png = try png(of: preview.bitmap)
      var file = output
      file.path = directory + "/\(number).png".utf8
      try file.replace(with: png) { Preview.isOutput($0, like: png) }
    }
  }

  /// Writes a data URL a line, which is empty where there is no image.
  private func drawLines() throws(CommandError) -> ExitStatus {
    let destination = try OutputDestination(output.path)
    try destination.checkOverwriting(force: output.overwrites, Self.hasDataURLs)
    // The draft may wait as long as the list does.
    let signals = destination.file == nil ? nil : try EncodingOptions.listen()
    var file = try OutputFile(destination)
    if let draft = file.draft { signals?.exitOnSignal { OutputFile.remove(draft) } }
    let status = try drawEach { _, preview throws(CommandError) in
      try file.write(try line(of: preview))
    }
    try file.commit()
    return status
  }

  /// Hands on each image with its number, nil for what has none, and tells whether all could be drawn.
  private func drawEach(
    _ receive: (Int, Preview?) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitStatus {
    var status = ExitStatus.success
    var list = StringList(strings)
    var number = 0
    while let item = try list.next() {
      number += 1
      var preview: Preview?
      do throws(PreviewError) {
        if !item.isNothing { preview = try drawing(of: item.text, options) }
      } catch {
        StandardError.print(Self.complaint(error, of: item))
        status = .failure
      }
      try receive(number, preview)
    }
    return status
  }

  /// What is said of a string among others.
  private static func complaint(_ error: PreviewError, of item: StringList.Item) -> String {
    let place = item.line.map { "standard input, line \($0): " }
    switch error {
    case .malformed(let reason): return (place ?? "") + reason
    case .conflict(let reason): return (place ?? "\(FilePath(item.text)): ") + reason
    }
  }

  private func drawing(
    of text: String, _ options: PreviewOptions
  ) throws(PreviewError) -> Preview {
    guard let kind = kind ?? PreviewKind(of: text) else { throw .unrecognized(text) }
    return try options.preview(of: text, as: kind, maximumSide: Self.maximumSide)
  }

  private func preview(
    of text: String, _ options: PreviewOptions
  ) throws(CommandError) -> Preview {
    do {
      return try drawing(of: text, options)
    } catch {
      switch error {
      case .malformed(let reason): throw .failed(reason)
      case .conflict(let reason): throw .usage(reason)
      }
    }
  }

  /// As large as the window allows, unless a size is asked for.
  private func smallBitmap(of text: String) throws(CommandError) -> Bitmap {
    var options = options
    if options.width == nil, options.height == nil {
      options.width = min(Self.maximumColumnCount, max(1, Terminal.width - 1))
    }
    return try preview(of: text, options).bitmap
  }

  private func png(of bitmap: Bitmap) throws(CommandError) -> [UInt8] {
    do {
      return try PNGWriter.bytes(of: bitmap)
    } catch {
      throw .failed("\(error)")
    }
  }

  /// A data URL as a line, which is empty without an image.
  private func line(of preview: Preview?) throws(CommandError) -> [UInt8] {
    guard let preview else { return Array("\n".utf8) }
    return Array("\(Self.prefix)\(Base64.encode(try png(of: preview.bitmap)))\n".utf8)
  }

  /// Whether an open file has such lines.
  private static func hasDataURLs(_ descriptor: Int32) -> Bool {
    let beginning = try? FileDescriptor.read(descriptor, at: 0, upTo: 4096)
    let line = beginning?.drop { $0 == UInt8(ascii: "\n") }
    return line.map { $0.isEmpty || $0.starts(with: prefix.utf8) } ?? false
  }
}

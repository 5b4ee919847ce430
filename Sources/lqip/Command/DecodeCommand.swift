internal import LqipFiles
internal import LqipOptions
internal import PlaceholderEncoding
internal import LqipRecords

/// Draws placeholder strings as PNG images.
struct DecodeCommand: Command {
  var strings: [String] = []
  var output: FilePath?
  var overwrites = false
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
    '--kinds css'. One that begins with '-' goes after '--'. The string '-' reads more of them \
    from standard input, one per line.

    One image goes to the output, or onto a terminal as colored blocks. Several go into a \
    directory, as 1.png, 2.png and so on, or with '--data-url' to the output, one per line.

    An image is 256 pixels wide unless told otherwise. If only one side is given, the other \
    follows: by the ratio of the components for a BlurHash, by the shape for a ThumbHash, as a \
    square for an LQIP.

    The exit code is 0 if all was written, 1 if a string is malformed, 2 if the command line is \
    wrong, and 3 if an image cannot be written.
    """

  static let options: [CommandOption<Self>] =
    [
      .value(
        "--output", short: "o", "FILE", \.output, .path,
        help: "Write to FILE, for several images a directory; '-' is standard output, the default."),
      .flag("--force", \.overwrites, help: "Replace FILE even if this program did not write it."),
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
    guard !strings.isEmpty else { throw .missingOperand(Self.operand) }
    for string in strings where string != "-" {
      if let reason = options.conflict(with: kind ?? PreviewKind(of: string)) {
        throw .conflict(reason)
      }
    }
  }

  @MainActor
  func run() async throws(CommandError) -> ExitStatus {
    let isList = strings.contains("-")
    let strings = try listedStrings
    if output == nil, !writesDataURLs, !isList, strings.count == 1,
      let terminal = Terminal.ofStandardOutput
    {
      guard terminal.hasColor else {
        throw .usage("a PNG image is not for a terminal without color; give '--output FILE'")
      }
      try write(Array(HalfBlocks.text(try smallBitmap(of: strings[0])).utf8)) { _ in true }
    } else if writesDataURLs {
      var lines: [UInt8] = []
      for string in strings {
        let png = try png(of: try preview(of: string, options).bitmap)
        lines += "\(Self.prefix)\(Base64.encode(png))\n".utf8
      }
      try write(lines) { descriptor in
        let beginning = try? FileDescriptor.read(descriptor, at: 0, upTo: Self.prefix.utf8.count)
        return beginning.map { $0.elementsEqual(Self.prefix.utf8) } ?? false
      }
    } else if strings.count == 1, !isList {
      let png = try png(of: try preview(of: strings[0], options).bitmap)
      try write(png) { Preview.isOutput($0, like: png) }
    } else {
      try writeFiles(
        try strings.map { string throws(CommandError) in try preview(of: string, options) })
    }
    return .success
  }

  /// The strings of the command line, with those of the list in place of its name.
  private var listedStrings: [String] {
    get throws(CommandError) {
      guard let list = strings.firstIndex(of: "-") else { return strings }
      let text: [UInt8]
      do {
        text = try StandardInput.bytes(upTo: Self.maximumListByteCount)
      } catch {
        throw .input("cannot read strings from standard input: \(error)")
      }
      let lines = text.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
      }
      return strings[..<list] + lines.filter { !$0.isEmpty } + strings[(list + 1)...]
    }
  }

  private func preview(
    of string: String, _ options: PreviewOptions
  ) throws(CommandError) -> Preview {
    do {
      return try options.preview(
        of: string, as: kind ?? PreviewKind(of: string), maximumSide: Self.maximumSide)
    } catch {
      switch error {
      case .malformed(let reason): throw .failed(reason)
      case .conflict(let reason): throw .usage(reason)
      }
    }
  }

  /// As large as the window allows, unless a size is asked for.
  private func smallBitmap(of string: String) throws(CommandError) -> Bitmap {
    var options = options
    if options.width == nil, options.height == nil {
      options.width = min(Self.maximumColumnCount, max(1, Terminal.width - 1))
    }
    return try preview(of: string, options).bitmap
  }

  private func png(of bitmap: Bitmap) throws(CommandError) -> [UInt8] {
    do {
      return try PNGWriter.bytes(of: bitmap)
    } catch {
      throw .failed("\(error)")
    }
  }

  private func write(
    _ bytes: [UInt8], to path: FilePath? = nil, _ isOwn: (Int32) -> Bool
  ) throws(CommandError) {
    let destination = try OutputDestination(path ?? output)
    try destination.checkOverwriting(force: overwrites, isOwn)
    var output = try OutputFile(destination)
    try output.write(bytes)
    try output.commit()
  }

  private func writeFiles(_ previews: [Preview]) throws(CommandError) {
    guard let output, output != FilePath("-") else {
      throw .usage("several images need '--output DIRECTORY' or '--data-url'")
    }
    do throws(SystemError) {
      try output.makeDirectory()
    } catch {
      throw .output("cannot make \(output): \(error)")
    }
    for (index, preview) in previews.enumerated() {
      let png = try png(of: preview.bitmap)
      let name = Array("/\(index + 1).png".utf8)
      try write(png, to: output + name) { Preview.isOutput($0, like: png) }
    }
  }
}

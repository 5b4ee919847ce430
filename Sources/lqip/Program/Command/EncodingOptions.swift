import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// The options of commands that encode many images.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  /// The tar archive to read instead of paths.
  var tar: FilePath?
  var placeholders = PlaceholderOptions()
  var records = RecordOptions()
  var limits = LimitOptions()
  var walk = WalkOptions()
  /// The number of worker processes; `nil` for enough to keep all cores busy.
  var jobs: Int?
  var sandbox = Sandbox.Mode.auto
  var isQuiet = false

  static let operand = "PATH..."

  static let pathDiscussion = """
    PATH is a file or a directory; '-' reads paths from standard input, one per line or \
    NUL-terminated. Directories are searched recursively for files with an image extension or \
    signature.
    """

  static let placeholderTable: [CommandOption<Self>] =
    [RecordOptions.kindsOption.lifted(to: \.records)]
    + PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) }

  /// Returns the option `--sandbox` of a command, which `store` adds to its settings.
  static func sandboxOption<Settings>(
    _ store: @escaping @Sendable (inout Settings, Sandbox.Mode) -> Void
  ) -> CommandOption<Settings> {
    .value(
      "--sandbox", "MODE", store, .choice,
      help: "Set the sandbox mode: auto (default), require or off",
      details:
        "'auto' uses seccomp and Landlock where available; 'require' fails without seccomp; 'off' runs "
        + "the decoders without a sandbox.")
  }

  static let limitTable: [CommandOption<Self>] =
    [
      .value(
        "--jobs", short: "j", "N", { $0.jobs = $1 }, .integer(in: 1...1024),
        help: "Decode in N worker processes (default: one per core)",
        details:
          "N can be at most 1024. By default, more workers run while some wait for reads, up to 8 per "
          + "core."),
      sandboxOption { $0.sandbox = $1 },
    ] + LimitOptions.table.filter { $0.name != "--max-memory" }.map { $0.lifted(to: \.limits) }

  static let quietOption: CommandOption<Self> = .flag(
    "--quiet", short: "q", { $0.isQuiet = true },
    help: "Print no progress, summary or failed images"
  )

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    let path = try operand.path(for: "PATH")
    let text = operand.text.lowercased()
    guard !text.hasPrefix("http://"), !text.hasPrefix("https://") else {
      throw .conflict("\(path): URLs are not supported; use: curl -L \(path) | lqip encode --stdin")
    }
    paths.append(path)
  }

  func validate() throws(UsageError) {
    guard tar == nil else {
      guard paths.isEmpty else { throw .conflict("--tar cannot be combined with PATH") }
      return
    }
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
  }

  var pathsMayRepeat: Bool {
    tar != nil || paths.count > 1 || readsList
  }

  /// The settings that determine the placeholders of an image, in one line.
  var stampedSettings: String {
    let settings = EncoderSettings(placeholders, limits, kinds: records.chosenKinds).text
    let text = "\(PlaceholderEncoder.algorithmVersion) \(settings)"
    guard records.chosenKinds.contains(where: { $0 == .preview || $0 == .svg }),
      placeholders.preview.format == .webp
    else { return text }
    // The previews of libwebp differ between its versions.
    return "\(text) libwebp=\(CodecLibrary.libwebp.version ?? "none")"
  }

  var fileEncoder: FileEncoder {
    FileEncoder(placeholders, limits, records)
  }

  /// The only file to encode; `nil` if there may be others, or if options affect its selection or its path.
  var onlyFile: FilePath? {
    guard tar == nil, paths.count == 1, !readsList, walk == WalkOptions(), records.base == nil,
      (try? FileStatus(of: paths[0], followsLinks: true))?.kind == .regular
    else { return nil }
    return paths[0]
  }

  /// The archive, or the paths on the command line.
  var inputs: [FilePath] {
    tar.map { [$0] } ?? paths
  }

  /// The operand for a list of paths on standard input.
  private static let list = FilePath("-")

  /// The files and directories on the command line.
  var operands: [FilePath] {
    paths.filter { $0 != Self.list }
  }

  var readsList: Bool {
    paths.contains(Self.list)
  }
}

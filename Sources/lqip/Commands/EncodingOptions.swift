#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Which images to encode and how: what the commands over many images have in common.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  var placeholders = PlaceholderOptions()
  var limits = LimitOptions()
  var jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  static let operand = "PATH..."

  /// The paragraph of help on what paths stand for.
  static let pathDiscussion = """
    A PATH is a file, which is encoded whatever its name, or a directory, in which those files \
    are that are named .jpg, .jpeg, .jpe, .jfif, .png or .apng or begin as such an image, down \
    through its subdirectories; hidden names are passed over and symbolic links not followed. \
    The path '-' reads paths from standard input, one per line, and encodes them after the others.
    """

  /// The rows for the tables of the commands.
  static let table: [CommandOption<Self>] =
    PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) } + [
      .value(
        "--jobs", short: "j", "N", \.jobs, .integer(in: 1...1024),
        help: "Encode at most N images at a time; default: the number of cores.")
    ] + LimitOptions.table.map { $0.lifted(to: \.limits) }

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError) {
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
  }

  /// Encodes what the paths stand for, and hands on the records in the order of the paths.
  @MainActor
  func run(
    receive: (PlaceholderRecord) throws(CommandError) -> Void
  ) async throws(CommandError) -> BatchSummary {
    let list = FilePath("-")
    let walker = ImageWalker(
      paths.filter { $0 != list },
      lines: paths.contains(list) ? LineReader(STDIN_FILENO) : nil)
    var summary = BatchSummary()
    try await BatchEncoder(encoder: fileEncoder, jobs: jobs).run(walker) {
      event throws(CommandError) in
      switch event {
      case .record(let record):
        summary.count(record)
        try receive(record)
      case .noImages(let directory):
        summary.countEmptyDirectory()
        StandardError.print("\(directory): no images found")
      }
    }
    return summary
  }

  /// What the settings make of one file.
  var fileEncoder: FileEncoder {
    FileEncoder(placeholders, limits)
  }
}

internal import LqipBatch
internal import LqipFiles
internal import LqipOptions
internal import LqipRecords

/// Which images to encode and how: what the commands over many images have in common.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  /// An archive in place of the paths.
  var tar: FilePath?
  var placeholders = PlaceholderOptions()
  var limits = LimitOptions()
  var walk = WalkOptions()
  /// Whether each path on standard input ends in a zero byte.
  var endsWithZero = false
  var jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  var progress = ProgressMode.auto

  static let operand = "PATH..."

  /// The paragraph of help on what paths stand for.
  static let pathDiscussion = """
    A PATH is a file, which is encoded whatever its name, or a directory, in which those files \
    are that are named .jpg, .jpeg, .jpe, .jfif, .png or .apng or begin as such an image, down \
    through its subdirectories. The path '-' reads paths from standard input, one per line, and \
    encodes them after the others.
    """

  /// The rows for the tables of the commands.
  static let table: [CommandOption<Self>] =
    PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) }
    + WalkOptions.table.map { $0.lifted(to: \.walk) } + [
      .flag(
        "--null", short: "0", \.endsWithZero,
        help: "Each path on standard input ends in a zero byte, as 'find -print0' writes them."),
      .value(
        "--jobs", short: "j", "N", \.jobs, .integer(in: 1...1024),
        help: "Encode at most N images at a time; default: the number of cores."),
      .value(
        "--progress", "WHEN", \.progress, .choice,
        help: "Tell how far the work is and what came of it: 'auto' (default), on a terminal, or "
          + "if it takes long or something failed; 'always'; 'never'."),
    ] + LimitOptions.table.map { $0.lifted(to: \.limits) }

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError) {
    guard tar == nil else {
      guard paths.isEmpty else { throw .conflict("--tar takes the place of PATH") }
      return
    }
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
    guard !endsWithZero || readsList else { throw .conflict("--null needs the path '-'") }
  }

  /// Whether paths come in the order of their bytes, none of them twice.
  var isOrdered: Bool {
    tar == nil && paths.count == 1 && !readsList
  }

  /// The settings that make the same of the same image.
  var settings: [String] {
    placeholders.text + limits.text
  }

  /// What the settings make of one file.
  var fileEncoder: FileEncoder {
    FileEncoder(placeholders, limits)
  }

  /// Encodes what the paths stand for, and hands on the records in the order of the paths.
  ///
  /// - Parameters:
  ///   - encoder: Encodes one file.
  ///   - render: Makes the bytes of a record.
  ///   - previous: The records of earlier runs.
  ///   - writesToTerminal: Whether records are shown on a terminal as they come.
  ///   - finished: Is given each new record as soon as there is one.
  ///   - receive: Is given the records, new and reused, in their order.
  /// - Returns: What became of the files.
  /// - Throws: That a list cannot be read, and what the functions throw.
  @MainActor
  func run(
    _ encoder: FileEncoder, render: @escaping @Sendable (PlaceholderRecord) -> [UInt8],
    reusing previous: PreviousRecords? = nil, writesToTerminal: Bool,
    finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void = { _, _ in },
    receive: (BatchEncoder.Event) throws(CommandError) -> Void
  ) async throws(CommandError) -> BatchSummary {
    let interruption: SignalObserver
    do {
      interruption = try SignalObserver()
    } catch {
      throw .failed("cannot listen for signals: \(error)")
    }
    let reporter = ProgressReporter(progress, on: .current, sharesTerminal: writesToTerminal)
    reporter.start(counting: readsList || tar != nil ? nil : walker)
    defer { reporter.stop() }
    let batch = BatchEncoder(
      try source, encoder, render: render, jobs: jobs, reusing: previous, until: interruption)
    try await batch.run(finished: finished) { event throws(CommandError) in
      switch event {
      case .record(let record, _): reporter.summary.count(record)
      case .reused(let entry): reporter.summary.countReused(failure: entry.key.failure)
      case .noImages(let directory):
        reporter.summary.countEmptyDirectory()
        StandardError.print("\(directory): no images found")
      case .loop(let path):
        StandardError.print("\(path): symbolic link into its own directory, not followed")
      }
      try receive(event)
    }
    reporter.summary.signal = interruption.received
    return reporter.result
  }

  private static let list = FilePath("-")

  private var readsList: Bool {
    paths.contains(Self.list)
  }

  private var source: any BatchSource {
    get throws(CommandError) {
      guard let tar else { return walker }
      return try TarWalker(tar, maximumByteCount: limits.byteCount)
    }
  }

  private var walker: ImageWalker {
    let terminator = endsWithZero ? 0 : UInt8(ascii: "\n")
    return ImageWalker(
      paths.filter { $0 != Self.list },
      lines: readsList ? LineReader(STDIN_FILENO, terminator: terminator) : nil, options: walk)
  }
}

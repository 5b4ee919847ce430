package import LqipFiles
package import LqipRecords

/// Writes the records of a batch in their order, and sees to it that none is ever made twice.
///
/// An output file is replaced at the end. Until then a journal beside it has the records that are
/// new, in the form of an output that was not finished.
@MainActor
package final class RecordOutput {
  /// What earlier runs left; nil if that is not to be used.
  package let previous: PreviousRecords?
  /// How records are to be stamped; nil for not at all.
  package let stamps: RecordStamp.Style?
  package let layout: RecordLayout

  private let update: UpdateOptions
  /// Whether paths come in the order of their bytes.
  private let isOrdered: Bool
  private var writer: RecordWriter
  private var output: OutputFile?
  private let journal: Journal?
  private var lastPath: FilePath?

  /// Opens the output and everything beside it.
  ///
  /// - Parameters:
  ///   - options: Where records go and what they look like.
  ///   - update: What becomes of those that are there.
  ///   - settings: The choices that make the same of the same image.
  ///   - isOrdered: Whether paths will come in the order of their bytes.
  ///   - isOfFiles: Whether what comes are files, which a later run finds again.
  /// - Throws: What is wrong with the options, or that the output cannot be read or written.
  package init(
    _ options: RecordOptions, _ update: UpdateOptions, settings: [String], isOrdered: Bool,
    isOfFiles: Bool = true
  ) throws(CommandError) {
    let destination = try OutputFile.destination(of: options.output)
    guard destination != nil || !update.isOn else {
      throw .usage("--update needs an output file")
    }
    let hasStamps = destination != nil && isOfFiles && (update.isOn || options.isComplete)
    layout = options.layout(stamps: hasStamps, digests: update.comparesContent)
    stamps =
      hasStamps
      ? RecordStamp.Style(
        settings: settings + layout.settings, comparesContent: update.comparesContent) : nil
    self.update = update
    self.isOrdered = isOrdered
    writer = RecordWriter(layout, pathsMayRepeat: !isOrdered)
    journal = try hasStamps ? destination.map(Journal.init) : nil
    previous = try Self.previous(update, destination, journal?.descriptor.number, layout, stamps)
    try journal?.resume(after: previous?.journalEnd ?? 0, opening: layout.opening)
    let draft = hasStamps ? destination.map { Journal.path(of: "draft", beside: $0) } : nil
    var output = try OutputFile(options.output, draft: draft)
    try output.write(writer.opening)
    self.output = consume output
  }

  /// Whether people see the records as they are written.
  package var isTerminal: Bool {
    output?.isTerminal ?? false
  }

  /// Writes down a record as soon as it is made.
  package func note(_ record: PlaceholderRecord, _ entry: [UInt8]) throws(CommandError) {
    guard record.stamp != nil else { return }
    try journal?.write(entry + layout.terminator)
  }

  /// Writes what has its turn.
  package func write(_ event: BatchEncoder.Event) throws(CommandError) {
    switch event {
    case .record(let record, let entry):
      try writeMissing(before: record.path)
      try write(entry, path: record.path)
    case .reused(let entry):
      try writeMissing(before: entry.key.path)
      try write(entry.bytes, path: entry.key.path)
    case .noImages, .loop: break
    }
  }

  /// Puts the output in its place.
  ///
  /// What an interrupted run did not come to stays as it was.
  package func finish(isInterrupted: Bool) throws(CommandError) {
    if isInterrupted, isOrdered, !update.keepsMissing, let lastPath {
      try previous?.takeUnvisited(before: lastPath) { _ in }
    }
    if isInterrupted || update.keepsMissing {
      try previous?.takeUnvisited(before: nil) { entry throws(CommandError) in
        try write(entry.bytes, path: entry.key.path)
      }
    }
    try output?.write(writer.closing)
    try output.take()?.commit()
    // What the killed run before had done further on is in its journal alone.
    if !isInterrupted || previous?.journalEnd ?? 0 == 0 { journal?.remove() }
  }

  /// Writes the records to keep whose images would have come before a path.
  private func writeMissing(before path: FilePath) throws(CommandError) {
    lastPath = path
    guard isOrdered, update.keepsMissing else { return }
    try previous?.takeUnvisited(before: path) { entry throws(CommandError) in
      try write(entry.bytes, path: entry.key.path)
    }
  }

  private static func previous(
    _ update: UpdateOptions, _ destination: FilePath?, _ journal: Int32?, _ layout: RecordLayout,
    _ stamps: RecordStamp.Style?
  ) throws(CommandError) -> PreviousRecords? {
    guard update.isOn, let destination, let stamps else { return nil }
    do {
      let output = try FileDescriptor.ifThere(destination)
      return try PreviousRecords(output: output, journal: journal, layout, stamps)
    } catch {
      throw .failed("cannot read \(destination): \(error)")
    }
  }

  private func write(_ entry: [UInt8], path: FilePath) throws(CommandError) {
    guard writer.admits(path) else { return }
    try output?.write(writer.bytes(entry: entry))
  }
}

internal import LqipFiles
internal import LqipRecords

/// Puts what is found together with what earlier runs say of it.
struct RecordMatcher {
  /// How many records without a file are handed on together.
  private static let unvisitedCount = 32

  private let previous: PreviousRecords?
  private var merge: RecordMerge?
  private var run = RecordRun()

  /// Prepares to look up files.
  ///
  /// - Parameter previous: The records of earlier runs.
  /// - Throws: That they cannot be read.
  init(_ previous: PreviousRecords?) throws(CommandError) {
    self.previous = previous
    if let previous { merge = try RecordMerge(previous) }
  }

  /// Hands on a finding, and the records of the earlier output that come before it.
  ///
  /// - Parameters:
  ///   - finding: What was found.
  ///   - add: Is given all that is to be handed on; gives false if nobody wants it any more.
  /// - Returns: What `add` gave.
  /// - Throws: That the earlier records cannot be read.
  mutating func take(
    _ finding: ImageWalker.Finding, _ add: (InputFeed.Item) -> Bool
  ) throws(CommandError) -> Bool {
    guard case .image(let path, _, _) = finding else {
      return flush(add) && add(.found(finding, nil))
    }
    guard let previous, merge != nil else {
      return add(.found(finding, try self.previous?.match(for: path)))
    }
    let name = path.normalized
    guard try pass(before: name, add) else { return false }
    let match = try previous.match(for: path, merging: merge?.take(at: name))
    guard let match, match.reuse == .holds else { return flush(add) && add(.found(finding, match)) }
    run.append(match.entry, previous.layout.format)
    return run.isFull ? flush(add) : true
  }

  /// Hands on the rest of the earlier output.
  mutating func finish(_ add: (InputFeed.Item) -> Bool) throws(CommandError) -> Bool {
    try pass(before: nil, add) && flush(add)
  }

  private mutating func pass(
    before name: FilePath?, _ add: (InputFeed.Item) -> Bool
  ) throws(CommandError) -> Bool {
    var entries: [RecordEntry] = []
    while let entry = try merge?.take(before: name) {
      entries.append(entry)
      if entries.count == Self.unvisitedCount {
        guard flush(add), add(.unvisited(entries)) else { return false }
        entries = []
      }
    }
    return entries.isEmpty || flush(add) && add(.unvisited(entries))
  }

  private mutating func flush(_ add: (InputFeed.Item) -> Bool) -> Bool {
    guard run.count > 0 else { return true }
    defer { run = RecordRun() }
    return add(.reused(run))
  }
}

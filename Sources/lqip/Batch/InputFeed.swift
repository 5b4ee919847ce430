internal import LqipFiles
internal import LqipRecords

/// Looks for images on a thread of its own, a bounded number ahead of those who encode them.
///
/// A list, an archive or a directory that does not come then keeps nobody else waiting.
final class InputFeed: Sendable {
  /// What comes next in the order of the input.
  enum Item: Sendable {
    /// What was found, and what earlier runs say of it.
    case found(ImageWalker.Finding, PreviousRecords.Match?)
    /// Records of the earlier output that hold for the files that come next.
    case reused(RecordRun)
    /// Records of the earlier output that come next and whose files do not.
    case unvisited([RecordEntry])

    /// The bytes that are held for it.
    var byteCount: Int {
      switch self {
      case .found(.content(_, .success(let bytes)), _): bytes.count
      case .found: 0
      case .reused(let run): run.bytes.count
      case .unvisited(let entries): entries.reduce(0) { $0 + $1.bytes.count }
      }
    }

    /// Whether it is in the output already, so that it can wait for others.
    var canWait: Bool {
      switch self {
      case .found(_, let known): known?.reuse == .holds
      case .reused, .unvisited: true
      }
    }
  }

  private struct State {
    var items: [Item] = []
    /// The bytes of images that wait.
    var byteCount = 0
    /// How the input came to its end, once it has.
    var end: InputEnd?
    var isStopped = false
    /// Whether somebody is to be told of the next item.
    var isAwaited = false
  }

  /// How many items that need no work are worth a wake-up.
  private static let batchCount = 64
  /// The bytes of images above which no more are read ahead.
  private static let maximumByteCount = 16 << 20

  private let state = Monitor(State())
  private let capacity: Int
  private let onReady: @Sendable () -> Void

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - makeSource: Opens the input, on the thread.
  ///   - previous: The records of earlier runs.
  ///   - capacity: How many items may wait.
  ///   - onReady: Is called, on the thread, when there is something to take for whom there was
  ///     nothing before.
  /// - Throws: The system's error if there is no thread.
  init(
    _ makeSource: @escaping @Sendable () throws(CommandError) -> any BatchSource,
    knowing previous: PreviousRecords?, capacity: Int, onReady: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.capacity = capacity
    self.onReady = onReady
    _ = try SystemThread { [self] in read(makeSource, previous) }
  }

  /// Takes what there is; nil at the end of the input.
  func take() throws(CommandError) -> [Item]? {
    let (items, end) = state.update { state -> ([Item], InputEnd?) in
      let items = state.items
      state.items = []
      state.byteCount = 0
      state.isAwaited = items.isEmpty && state.end == nil
      return (items, state.end)
    }
    if items.isEmpty, let end {
      try end.check()
      return nil
    }
    return items
  }

  /// Lets the thread end with what it is doing.
  func stop() {
    state.update { $0.isStopped = true }
  }

  private func read(
    _ makeSource: () throws(CommandError) -> any BatchSource, _ previous: PreviousRecords?
  ) {
    let end: InputEnd
    do throws(CommandError) {
      var source = try makeSource()
      var matcher = try RecordMatcher(previous)
      while let finding = try source.next() {
        guard try matcher.take(finding, add) else { return }
      }
      guard try matcher.finish(add) else { return }
      end = InputEnd()
    } catch {
      end = InputEnd(error)
    }
    tell { $0.end = end }
  }

  /// Adds an item as soon as there is room; gives false if nobody wants it any more.
  private func add(_ item: Item) -> Bool {
    let hasRoom = state.wait(until: nil) { state -> Bool? in
      if state.isStopped { return false }
      return state.items.count < capacity && state.byteCount < Self.maximumByteCount ? true : nil
    }
    guard hasRoom == true else { return false }
    let byteCount = item.byteCount
    tell(atOnce: !item.canWait) { state in
      state.items.append(item)
      state.byteCount += byteCount
    }
    return true
  }

  private func tell(atOnce isUrgent: Bool = true, _ change: (inout State) -> Void) {
    let isAwaited = state.withLock { state in
      change(&state)
      // What waits for the other thread to take something must have woken it.
      let isFull = state.byteCount >= Self.maximumByteCount
      guard isUrgent || isFull || state.items.count >= min(Self.batchCount, capacity) else {
        return false
      }
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    if isAwaited { onReady() }
  }
}

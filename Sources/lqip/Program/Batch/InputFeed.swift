import LqipRecords
import LqipSystem

/// Finds images on a dedicated thread, staying at most a fixed number ahead of the workers.
///
/// If a list, an archive or a directory stalls, the workers can still finish the images that have been found.
final class InputFeed: Sendable {
  /// Opens a source and a matcher for its findings; called on the input thread, because opening may block.
  typealias Opening =
    @Sendable (InputActivity) throws(CommandError) -> (
      source: any BatchSource, matcher: RecordMatcher
    )

  private struct State {
    var items: [RecordMatcher.Item] = []
    var byteCount = 0
    var isAtEnd = false
    var error: CommandError?
    var isStopped = false
    var isConsumerWaiting = false
  }

  /// The number of image bytes at which reading ahead pauses.
  private static let maximumByteCount = 16 << 20

  let activity = InputActivity()
  private let state = Monitor(State())
  private let capacity: Int
  /// Called on the input thread when, after `take()` returned no items, one is added or the input ends.
  ///
  /// The callback must not use the feed, because the feed's lock is held during the call.
  private let onReady: @Sendable () -> Void

  init(
    _ open: @escaping Opening, capacity: Int, onReady: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.capacity = capacity
    self.onReady = onReady
    try SystemThread.start { [self] in read(open) }
  }

  /// Removes and returns all queued items; returns `nil` at the end of the input.
  func take() throws(CommandError) -> [RecordMatcher.Item]? {
    let (items, isAtEnd, error) = state.update { state in
      defer { (state.items, state.byteCount) = ([], 0) }
      state.isConsumerWaiting = state.items.isEmpty && !state.isAtEnd
      return (state.items, state.isAtEnd, state.error)
    }
    guard items.isEmpty, isAtEnd else { return items }
    if let error { throw error }
    return nil
  }

  /// Stops the input thread the next time it tries to add an item.
  func stop() {
    state.update { $0.isStopped = true }
  }

  private func read(_ open: Opening) {
    var failure: CommandError?
    do throws(CommandError) {
      var (source, matcher) = try open(activity)
      while let finding = try source.next() {
        let fraction = source.fraction
        try matcher.take(finding) { item throws(CommandError) in
          var item = item
          item.fraction = fraction
          try add(item)
        }
      }
      try matcher.finish(add)
    } catch {
      failure = error
    }
    state.withLock { state in
      (state.isAtEnd, state.error) = (true, failure)
      wakeConsumer(&state)
    }
  }

  /// Waits for room and adds an item; throws an error if the feed was stopped.
  private func add(_ item: RecordMatcher.Item) throws(CommandError) {
    var byteCount = 0
    if case .waiting(.content(_, .success(let bytes))) = item.state { byteCount = bytes.count }
    let isAdded = state.wait(until: nil) { state in
      guard !state.isStopped else { return false }
      guard state.items.count < capacity, state.byteCount < Self.maximumByteCount else {
        return nil
      }
      state.items.append(item)
      state.byteCount += byteCount
      wakeConsumer(&state)
      return true
    }
    // Nobody takes the error.
    if isAdded != true { throw .outputClosed }
  }

  private func wakeConsumer(_ state: inout State) {
    guard state.isConsumerWaiting else { return }
    state.isConsumerWaiting = false
    onReady()
  }
}

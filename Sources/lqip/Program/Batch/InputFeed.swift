import LqipSystem
import LqipRecords

/// Looks for images on a thread of its own, a bounded number ahead of the workers.
///
/// A list, an archive or a directory that does not answer then keeps nobody else waiting.
final class InputFeed: Sendable {
  /// An item, and the part of the input that came before it.
  struct Element: Sendable {
    let item: RecordMatcher.Item
    let fraction: Double?

    /// The bytes of an image that are held for it.
    var byteCount: Int {
      if case .found(.content(_, .success(let bytes)), _, _) = item { bytes.count } else { 0 }
    }
  }

  private struct State {
    var elements: [Element] = []
    var byteCount = 0
    var isAtEnd = false
    var error: CommandError?
    var isStopped = false
    /// Whether the reader waits for the next element.
    var isAwaited = false
  }

  /// The bytes of images above which no more are read ahead.
  private static let maximumByteCount = 16 << 20

  private let state = Monitor(State())
  private let capacity: Int
  private let onReady: @Sendable () -> Void

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - makeSource: Opens the input, on the thread.
  ///   - previous: The earlier output that is updated, if any.
  ///   - base: The directory that paths in records are relative to.
  ///   - capacity: The maximum number of elements that wait.
  ///   - onReady: Called on the thread when the queue becomes non-empty.
  /// - Throws: The system's error if there is no thread.
  init(
    _ makeSource: @escaping @Sendable () throws(CommandError) -> any BatchSource,
    updating previous: PreviousOutput?, relativeTo base: FilePath?, capacity: Int,
    onReady: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.capacity = capacity
    self.onReady = onReady
    _ = try SystemThread { [self] in read(makeSource, previous, base) }
  }

  /// Takes all elements that wait; `nil` at the end of the input.
  func take() throws(CommandError) -> [Element]? {
    let (elements, isAtEnd, error) = state.update { state in
      defer { (state.elements, state.byteCount) = ([], 0) }
      state.isAwaited = state.elements.isEmpty && !state.isAtEnd
      return (state.elements, state.isAtEnd, state.error)
    }
    guard elements.isEmpty, isAtEnd else { return elements }
    if let error { throw error }
    return nil
  }

  /// Has the thread end after its current call.
  func stop() {
    state.update { $0.isStopped = true }
  }

  private func read(
    _ makeSource: () throws(CommandError) -> any BatchSource, _ previous: PreviousOutput?,
    _ base: FilePath?
  ) {
    var failure: CommandError?
    do throws(CommandError) {
      var source = try makeSource()
      var matcher = try RecordMatcher(previous, relativeTo: base)
      while let finding = try source.next() {
        let isWanted = try matcher.take(finding) {
          add(Element(item: $0, fraction: source.fraction))
        }
        guard isWanted else { return }
      }
      guard try matcher.finish({ add(Element(item: $0, fraction: nil)) }) else { return }
    } catch {
      failure = error
    }
    notify { ($0.isAtEnd, $0.error) = (true, failure) }
  }

  /// Adds an element as soon as there is room; returns `false` if no more are wanted.
  private func add(_ element: Element) -> Bool {
    let hasRoom = state.wait(until: nil) { state -> Bool? in
      if state.isStopped { return false }
      return state.elements.count < capacity && state.byteCount < Self.maximumByteCount
        ? true : nil
    }
    guard hasRoom == true else { return false }
    let byteCount = element.byteCount
    notify { state in
      state.elements.append(element)
      state.byteCount += byteCount
    }
    return true
  }

  private func notify(_ change: (inout State) -> Void) {
    let isAwaited = state.withLock { state in
      change(&state)
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    if isAwaited { onReady() }
  }
}

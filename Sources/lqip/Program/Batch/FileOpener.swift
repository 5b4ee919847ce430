import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// Opens files on threads of its own, because opening a file on a dead disk or server never returns.
///
/// A thread that hangs does not delay the next files: another thread opens them. A file that takes too long is given up;
/// its thread continues if the opening ever returns.
final class FileOpener: Sendable {
  enum Outcome: Sendable {
    /// An open file, which the receiver must close.
    case opened(Int32, FileStatus, RecordStamp?)
    case failed(RecordFailure)
    case skipped(Finding.Skip)
    /// The file does not begin with the required signature.
    case ignored
  }

  private struct State {
    var requests: [(index: Int, file: Finding.File)] = []
    var outcomes: [(index: Int, outcome: Outcome)] = []
    /// The files that are being opened, and the times since when.
    var starts: [Int: MonotonicTime] = [:]
    var threadCount = 0
    /// The number of threads that hang with a file that was given up.
    var hungCount = 0
    var isStopped = false
  }

  /// The number of files that may be requested and not dispatched; each can occupy a descriptor.
  static let capacity = 32
  /// The time after which another thread opens the next files.
  private static let patience = Duration.milliseconds(100)
  private static let threadLimit = 64

  private let encoder: FileEncoder
  private let state = Monitor(State())
  private let onReady: @Sendable () -> Void

  /// Creates an opener that calls `onReady` on another thread when files have been opened.
  init(_ encoder: FileEncoder, onReady: @escaping @Sendable () -> Void) {
    (self.encoder, self.onReady) = (encoder, onReady)
  }

  /// Ends the threads that do not hang.
  func stop() {
    state.update { $0.isStopped = true }
  }

  /// The time at which to call `check` again; `nil` while no file is being opened.
  var nextCheck: MonotonicTime? {
    state.withLock { $0.starts.isEmpty ? nil : .now + Self.patience }
  }

  /// Whether all threads hang, and no other can be started.
  var isExhausted: Bool { state.withLock { $0.hungCount == Self.threadLimit } }

  /// Requests to open a file; `index` is the caller's number.
  func open(_ index: Int, _ file: Finding.File) {
    state.update { $0.requests.append((index, file)) }
  }

  /// Removes and returns the results.
  func take() -> [(index: Int, outcome: Outcome)] {
    state.withLock { state in
      defer { state.outcomes = [] }
      return state.outcomes
    }
  }

  /// Starts another thread if all of them hang; returns the files whose opening has taken longer than `limit`.
  func check(limit: Duration) throws(SystemError) -> [Int] {
    let now = MonotonicTime.now
    let (overdue, needsThread) = state.withLock { state in
      let overdue = state.starts.filter { now - $0.value > limit }.keys.sorted()
      for index in overdue { state.starts[index] = nil }
      state.hungCount += overdue.count
      let needsThread =
        !state.requests.isEmpty && state.threadCount < Self.threadLimit
        && state.threadCount == state.starts.count + state.hungCount
        && state.starts.values.allSatisfy { now - $0 > Self.patience }
      if needsThread { state.threadCount += 1 }
      return (overdue, needsThread)
    }
    if needsThread { try SystemThread.start { [self] in openAll() } }
    return overdue
  }

  private func openAll() {
    while let (index, file) = nextRequest() {
      let outcome = outcome(of: file)
      let isWanted = state.withLock { state in
        guard state.starts.removeValue(forKey: index) != nil else {
          state.hungCount -= 1
          return false
        }
        state.outcomes.append((index, outcome))
        if state.outcomes.count == 1 { onReady() }
        return true
      }
      if !isWanted, case .opened(let descriptor, _, _) = outcome { close(descriptor) }
    }
  }

  private func nextRequest() -> (index: Int, file: Finding.File)? {
    state.wait(until: nil) { state in
      if state.isStopped { return .some(nil) }
      guard !state.requests.isEmpty else { return nil }
      let request = state.requests.removeFirst()
      state.starts[request.index] = .now
      return request
    } ?? nil
  }

  private func outcome(of found: Finding.File) -> Outcome {
    do throws(SystemError) {
      guard let file = try RegularFile(opening: found.path, followsLinks: found.followsLinks)
      else { return .failed(RecordFailure(.unreadable, "not a regular file")) }
      if found.requiresSignature {
        let start = try FileDescriptor.read(
          file.descriptor.number, at: 0, upTo: ImageFormat.sniffedByteCount)[...]
        guard ImageFormat(sniffing: start.span) != nil else {
          // With more bytes, a page with an SVG image would be one.
          let format = ForeignFormat(sniffing: Array(start.prefix(12)), at: found.path)
          return format.map { .skipped(.format($0)) } ?? .ignored
        }
      }
      let status = file.status
      let stamp = encoder.stamp(status)
      return .opened(file.release(), status, stamp)
    } catch {
      // A directory listing contains the file.
      if found.device != nil, error.isGone { return .skipped(.vanished) }
      return found.requiresSignature ? .skipped(.unreadable) : .failed(RecordFailure(error))
    }
  }
}

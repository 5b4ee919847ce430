import Synchronization

/// The reason that no workers are available.
package enum WorkerError: Error, Hashable, Sendable {
  /// The system could not provide a process, a socket or memory.
  case system(SystemError)
  /// Seccomp is required but unavailable.
  case unfiltered(SystemError)
  /// The zygote has ended, and with it all workers.
  case lost
  /// Several consecutive workers ended during startup; `signal` is the signal that killed the last one, or 0 if that
  /// worker exited.
  case unready(signal: Int32)
}

extension WorkerError: CustomStringConvertible {
  /// A one-line message for the user.
  package var description: String {
    switch self {
    case .system(let error):
      "cannot start a worker process: \(error); check 'ulimit -u' and 'ulimit -n'"
    case .unfiltered(let error):
      "cannot enter the seccomp sandbox: \(error); pass --sandbox auto to decode without it"
    case .lost: "the worker launcher exited unexpectedly"
    case .unready(let signal):
      "worker processes repeatedly exited at startup" + (signal == 0 ? "" : " (signal \(signal))")
    }
  }
}

/// An event that no record reports.
package enum WorkerIncident: Sendable {
  /// The zygote has ended. No later start of a worker can succeed.
  case lost
  /// A worker failed after it had decoded other images; it was replaced, and its current image is decoded again.
  case replaced(WorkerFailure)
}

extension WorkerIncident: CustomStringConvertible {
  /// A one-line message for the user.
  package var description: String {
    switch self {
    case .lost: "\(WorkerError.lost)"
    case .replaced(let failure): "a worker was replaced: \(failure)"
    }
  }
}

/// The source of worker processes.
///
/// Create the supply before the process starts its first thread: every initializer except the one for tests forks.
package final class WorkerSupply: Sendable {
  /// The number of consecutive failed startups after which the supply reports an error.
  private static let unreadyLimit = 3

  /// The process that forks the workers; `nil` if this process decodes.
  private let zygote: Zygote?
  private let settings: WorkerSettings
  private let lastNumber = Atomic<UInt32>(0)
  private let unreadyCount = Atomic<Int>(0)
  private let readySandbox = Monitor<Sandbox?>(nil)
  private let observer = Monitor<@Sendable (WorkerIncident) -> Void> {
    StandardError.print("\($0)")
  }

  /// Creates a supply of workers by forking a zygote.
  ///
  /// - Precondition: The process is single-threaded.
  /// - Throws: `WorkerError.system` if the zygote cannot be created.
  package init(_ settings: WorkerSettings) throws(WorkerError) {
    self.settings = settings
    do {
      zygote = try Zygote(settings)
    } catch {
      throw .system(error)
    }
  }

  /// Creates a supply that decodes in this process, for tests.
  ///
  /// A test process has several threads, so it cannot fork.
  package init(inThisProcess settings: WorkerSettings) {
    self.settings = settings
    zygote = nil
  }

  var limit: Int { settings.workerLimit }

  /// The function that decodes in this process; `nil` if workers decode.
  var handler: WorkerSettings.Handler? {
    zygote == nil ? settings.handle : nil
  }

  /// The protections of the workers; `nil` until the first worker is ready.
  package var sandbox: Sandbox? { readySandbox.withLock { $0 } }

  /// Starts a worker without waiting for its `ready` event.
  ///
  /// - Throws: `WorkerError.lost` if the zygote has ended; `WorkerError.system` for any other error.
  func start() throws(WorkerError) -> Worker {
    guard let zygote else { throw .system(SystemError(number: ECHILD)) }
    do {
      return try Worker(
        lastNumber.add(1, ordering: .relaxed).newValue, of: zygote,
        capacity: settings.inputCapacity)
    } catch {
      guard [EPIPE, ECONNRESET, EAGAIN].contains(error.number) else { throw .system(error) }
      report(.lost)
      throw .lost
    }
  }

  /// Passes all later incidents to a function instead of printing them.
  package func observe(_ body: @escaping @Sendable (WorkerIncident) -> Void) {
    observer.withLock { $0 = body }
  }

  func report(_ incident: WorkerIncident) { observer.withLock(\.self)(incident) }

  /// Records the protections of a worker that is ready.
  ///
  /// - Throws: `WorkerError.unfiltered` if the worker lacks a required protection.
  func noteReady(_ sandbox: Sandbox) throws(WorkerError) {
    unreadyCount.store(0, ordering: .relaxed)
    readySandbox.withLock { $0 = sandbox }
    try sandbox.check(settings.sandbox)
  }

  /// Records that a worker ended before it was ready.
  ///
  /// - Throws: `WorkerError.unready` after ``unreadyLimit`` consecutive failed startups.
  func noteUnready(signal: Int32) throws(WorkerError) {
    let count = unreadyCount.add(1, ordering: .relaxed).newValue
    if count >= Self.unreadyLimit { throw .unready(signal: signal) }
  }
}

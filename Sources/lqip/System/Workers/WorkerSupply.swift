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
  /// Workers failed so often that an attack is likely; later workers come from a new zygote with another address layout.
  case alarm(failureCount: Int)
  /// The new zygote could not be started, so the old one stays in use.
  case notRenewed(SystemError)
}

extension WorkerIncident: CustomStringConvertible {
  /// A one-line message for the user.
  package var description: String {
    switch self {
    case .lost: "\(WorkerError.lost)"
    case .replaced(let failure): "a worker was replaced: \(failure)"
    case .alarm(let count):
      "\(count) decoder failures within a minute may be an attack; replacing all workers"
    case .notRenewed(let error): "cannot change the address layout of the workers: \(error)"
    }
  }
}

/// The source of worker processes.
///
/// Create the supply before the process starts its first thread: every initializer except the one for tests forks.
package final class WorkerSupply: Sendable {
  /// The number of consecutive failed startups after which the supply reports an error.
  private static let unreadyLimit = 3

  /// The number of suspicious failures within ``alarmInterval`` that raises the alarm.
  ///
  /// Guesses of the address layout are useless afterwards, because the next zygote has another one.
  private static let alarmCount = 20
  private static let alarmInterval = Duration.seconds(60)

  /// The process that forks the workers; `nil` if this process decodes.
  private let zygote: Monitor<Zygote?>
  private let settings: WorkerSettings
  private let lastNumber = Atomic<UInt32>(0)
  private let unreadyCount = Atomic<Int>(0)
  private let isLost = Atomic<Bool>(false)
  private let isRenewalDue = Atomic<Bool>(false)
  private let readySandbox = Monitor<Sandbox?>(nil)
  /// The times of the suspicious failures since the last alarm.
  private let failures = Monitor<[MonotonicTime]>([])
  private let observer = Monitor<@Sendable (WorkerIncident) -> Void> {
    StandardError.print("\($0)")
  }

  /// Creates a supply of workers by starting a zygote.
  ///
  /// - Precondition: The process is single-threaded.
  /// - Throws: `WorkerError.system` if the zygote cannot be created.
  package init(_ settings: WorkerSettings) throws(WorkerError) {
    self.settings = settings
    do {
      zygote = Monitor(try Self.zygote(settings))
    } catch {
      throw .system(error)
    }
  }

  private static func zygote(_ settings: WorkerSettings) throws(SystemError) -> Zygote {
    guard settings.isExecuted else { return try Zygote(forking: settings) }
    do throws(SystemError) {
      return try Zygote(executing: settings)
    } catch {
      guard error == .notFound else { throw error }
      StandardError.print("without /proc, the workers have the address layout of the server")
      return try Zygote(forking: settings)
    }
  }

  /// Creates a supply that decodes in this process, for tests.
  ///
  /// A test process has several threads, so it cannot fork.
  package init(inThisProcess settings: WorkerSettings) {
    self.settings = settings
    zygote = Monitor(nil)
  }

  var limit: Int { settings.workerLimit }

  /// The function that decodes in this process; `nil` if workers decode.
  var handler: WorkerSettings.Handler? { current == nil ? settings.handle : nil }

  /// The zygote of new workers.
  private var current: Zygote? { zygote.withLock(\.self) }

  /// Whether a worker comes from the current zygote.
  func isCurrent(_ worker: Worker) -> Bool { worker.zygote === current }

  /// Waits for the end of the zygote, which it reports, and replaces the zygote after an alarm; returns `false` if it has
  /// ended by itself.
  ///
  /// The kernel kills a zygote when the thread that has started it ends.
  func supervise(for time: Duration) -> Bool {
    guard let zygote = current else { return true }
    if zygote.waitForEnd(within: time) {
      reportLoss()
      return false
    }
    guard isRenewalDue.exchange(false, ordering: .relaxed) else { return true }
    do {
      let next = try Zygote(executing: settings)
      // The last worker of the old zygote releases it.
      self.zygote.withLock { $0 = next }
    } catch {
      report(.notRenewed(error))
    }
    return true
  }

  private func reportLoss() {
    guard !isLost.exchange(true, ordering: .relaxed) else { return }
    report(.lost)
  }

  /// The protections of the workers; `nil` until the first worker is ready.
  package var sandbox: Sandbox? { readySandbox.withLock { $0 } }

  /// Starts a worker without waiting for its `ready` event.
  ///
  /// - Throws: `WorkerError.lost` if the zygote has ended; `WorkerError.system` for any other error.
  func start() throws(WorkerError) -> Worker {
    guard let zygote = current else { throw .system(SystemError(number: ECHILD)) }
    do {
      return try Worker(
        lastNumber.add(1, ordering: .relaxed).newValue, of: zygote,
        capacity: settings.inputCapacity)
    } catch {
      guard [EPIPE, ECONNRESET, EAGAIN].contains(error.number) else { throw .system(error) }
      reportLoss()
      throw .lost
    }
  }

  /// Passes all later incidents to a function instead of printing them.
  package func observe(_ body: @escaping @Sendable (WorkerIncident) -> Void) {
    observer.withLock { $0 = body }
  }

  func report(_ incident: WorkerIncident) { observer.withLock(\.self)(incident) }

  /// Counts a suspicious failure, and raises the alarm if there have been many.
  func note(_ failure: WorkerFailure) {
    guard failure.isSuspicious, settings.isExecuted else { return }
    let now = MonotonicTime.now
    let isAlarm = failures.withLock { times in
      times = times.filter { now - $0 < Self.alarmInterval } + [now]
      guard times.count >= Self.alarmCount else { return false }
      times = []
      return true
    }
    guard isAlarm else { return }
    report(.alarm(failureCount: Self.alarmCount))
    isRenewalDue.store(true, ordering: .relaxed)
  }

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

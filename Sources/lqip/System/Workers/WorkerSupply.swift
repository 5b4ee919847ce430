import Synchronization

/// Why there are no workers.
package enum WorkerError: Error, Hashable, Sendable {
  /// The system refuses a process, a socket or memory for it.
  case system(SystemError)
  /// Calls are not filtered, and that was required.
  case unfiltered(SystemError)
  /// The process that starts workers has ended, and every worker with it.
  case lost
  /// Workers end before they are ready, by this signal, or by themselves if it is 0.
  case unready(signal: Int32)
}

extension WorkerError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .system(let error):
      "cannot start a worker process: \(error); check 'ulimit -u' and 'ulimit -n'"
    case .unfiltered(let error):
      "cannot enter the sandbox: seccomp: \(error); pass --sandbox auto to decode without it"
    case .lost: "the worker launcher exited unexpectedly"
    case .unready(let signal):
      "worker processes exit during startup" + (signal == 0 ? "" : " (signal \(signal))")
    }
  }
}

/// Where workers come from.
///
/// It is made in `main`, before the first thread starts.
package final class WorkerSupply: Sendable {
  private enum Origin {
    case zygote(Zygote)
    /// A worker that was forked from this process for its only image.
    case single(Monitor<Worker?>)
    /// No worker: this process decodes.
    case none
  }

  /// Workers in a row that may end before they are ready.
  private static let unreadyLimit = 3

  private let origin: Origin
  private let settings: WorkerSettings
  private let lastNumber = Atomic<UInt32>(0)
  private let unreadyCount = Atomic<Int>(0)
  private let report = Monitor<Sandbox?>(nil)
  private let onLoss: @Sendable () -> Void

  /// Prepares for any number of workers.
  ///
  /// - Parameters:
  ///   - settings: How they are set up.
  ///   - onLoss: Called when there are no workers any more and cannot be.
  /// - Precondition: This process has one thread.
  /// - Throws: `WorkerError.system` if no process can be forked.
  package init(
    _ settings: WorkerSettings, onLoss: @escaping @Sendable () -> Void = {}
  ) throws(WorkerError) {
    self.settings = settings
    self.onLoss = onLoss
    do {
      origin = .zygote(try Zygote(settings))
    } catch {
      throw .system(error)
    }
  }

  /// Prepares for one image, which costs less than a zygote.
  ///
  /// - Precondition: This process has one thread.
  package init(forOneImage settings: WorkerSettings) throws(WorkerError) {
    self.settings = settings
    onLoss = {}
    do {
      origin = .single(Monitor(try Worker(forking: settings)))
    } catch {
      throw .system(error)
    }
  }

  /// Decodes in this process, without any wall: for tests of what uses workers, which cannot fork from a process
  /// with threads.
  package init(inThisProcess settings: WorkerSettings) {
    self.settings = settings
    onLoss = {}
    origin = .none
  }

  /// The most workers there can be.
  var limit: Int {
    if case .single = origin { 1 } else { settings.workerLimit }
  }

  /// What decodes where there are no workers; nil where there are.
  var handler: (@Sendable (borrowing WorkerInput) -> [UInt8])? {
    if case .none = origin { settings.handle } else { nil }
  }

  /// The walls around the workers; nil before the first one is ready.
  package var sandbox: Sandbox? { report.withLock { $0 } }

  /// Starts a worker.
  func start() throws(WorkerError) -> Worker {
    do throws(SystemError) {
      switch origin {
      case .zygote(let zygote):
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        return try Worker(number, of: zygote)
      case .single(let worker):
        let worker = worker.withLock { worker in
          defer { worker = nil }
          return worker
        }
        guard let worker else { throw SystemError(number: ECHILD) }
        return worker
      case .none: throw SystemError(number: ECHILD)
      }
    } catch {
      guard case .zygote = origin, [EPIPE, ECONNRESET].contains(error.number) else {
        throw .system(error)
      }
      onLoss()
      throw .lost
    }
  }

  /// Starts a worker to see which walls it gets.
  ///
  /// - Precondition: This process has one thread.
  package static func probe() throws(WorkerError) -> Sandbox {
    let supply = try WorkerSupply(
      forOneImage: WorkerSettings(
        sandbox: .auto, memoryLimit: 1 << 30, workerLimit: 1, inputCapacity: 0, prepare: {},
        handle: { _ in [] }))
    try WorkerLease(supply).prepare()
    return supply.sandbox ?? .none
  }

  /// Notes that a worker is ready.
  ///
  /// - Throws: That it has not the walls that were required.
  func note(_ sandbox: Sandbox) throws(WorkerError) {
    unreadyCount.store(0, ordering: .relaxed)
    report.withLock { $0 = sandbox }
    if settings.sandbox == .require, !sandbox.filtersCalls {
      throw .unfiltered(sandbox.refusal ?? SystemError(number: ENOSYS))
    }
  }

  /// Notes that a worker has ended before it was ready.
  ///
  /// - Throws: That too many have.
  func noteUnready(signal: Int32) throws(WorkerError) {
    let count = unreadyCount.add(1, ordering: .relaxed).newValue
    if count >= Self.unreadyLimit { throw .unready(signal: signal) }
  }
}

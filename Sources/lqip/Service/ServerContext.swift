internal import LqipWorkers

/// The state that all requests of a server share.
final class ServerContext: Sendable {
  let responder: any Responder
  let limits: ServerLimits
  let workers: WorkerPool
  let reaper: DeadlineReaper
  let budget: BodyBudget
  /// Whether to log the client address that a proxy sends.
  let trustsForwarded: Bool
  let observers: [any ServerObserver]

  init(
    responder: any Responder, workers: WorkerSupply, limits: ServerLimits,
    trustsForwarded: Bool, observers: [any ServerObserver]
  ) {
    self.responder = responder
    self.limits = limits
    self.trustsForwarded = trustsForwarded
    self.observers = observers
    var observer = WorkerPool.Observer()
    observer.queueChanged = { length in
      for observer in observers { observer.queueChanged(length: length) }
    }
    observer.queueLeft = { time in
      for observer in observers { observer.queueLeft(after: time) }
    }
    self.workers = WorkerPool(
      workers, count: limits.workerCount, queueLimit: limits.queueLength,
      queueDeadline: limits.queueDeadline, observer: observer)
    reaper = DeadlineReaper(limits, observers: observers)
    budget = BodyBudget(byteCount: limits.bufferedByteCount, largest: limits.bodyByteCount)
  }

  /// Takes in a new connection.
  func opened(_ connection: borrowing HTTPConnection) {
    reaper.add(connection.descriptor)
    for observer in observers { observer.connectionOpened() }
  }

  /// Lets go of a connection that is about to be closed.
  func closed(_ connection: borrowing HTTPConnection) {
    // A connection that the library closes before any request has sent something else.
    let isMalformed = reaper.remove(connection.descriptor) && !connection.isClosedByClient
    for observer in observers {
      if isMalformed {
        observer.connectionCut(.malformed)
        observer.connectionUnreadable(connection.address)
      }
      observer.connectionClosed()
    }
  }
}

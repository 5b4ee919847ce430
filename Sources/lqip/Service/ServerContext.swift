/// What all requests of a server share.
final class ServerContext: Sendable {
  let responder: any Responder
  let limits: ServerLimits
  let pool: DecodePool
  let reaper: DeadlineReaper
  let budget: BodyBudget
  let isEncrypted: Bool
  let observers: [any ServerObserver]

  init(
    responder: any Responder, limits: ServerLimits, isEncrypted: Bool,
    observers: [any ServerObserver]
  ) {
    self.responder = responder
    self.limits = limits
    self.isEncrypted = isEncrypted
    self.observers = observers
    pool = DecodePool(limits, observers: observers)
    reaper = DeadlineReaper(limits, isEncrypted: isEncrypted, observers: observers)
    budget = BodyBudget(byteCount: limits.bufferedByteCount)
  }

  /// Ends the threads that work for all requests.
  func stop() {
    reaper.stop()
    pool.stop()
  }
}

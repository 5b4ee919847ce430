/// Receives the events of a server, from many threads at once.
protocol ServerObserver: Sendable {
  func connectionOpened()
  func connectionClosed()
  /// A connection was cut without a response to end it.
  func connectionCut(_ reason: DeadlineReaper.Cut)
  /// A connection was closed that brought something other than a request, such as TLS; it counts as cut too.
  func connectionUnreadable(_ address: ClientAddress?)
  /// A request's first line has arrived; `requestFinished` follows for each.
  func requestStarted()
  func requestFinished(_ summary: RequestSummary)
  /// A worker gave no reply for an image, for this reason.
  func decoderFailed(_ reason: String)
  /// How many requests now wait for their turn to decode.
  func queueChanged(length: Int)
  /// A request's turn to decode has come after it waited for so long.
  func queueLeft(after time: Duration)
}

extension ServerObserver {
  func connectionOpened() {}
  func connectionClosed() {}
  func connectionCut(_ reason: DeadlineReaper.Cut) {}
  func connectionUnreadable(_ address: ClientAddress?) {}
  func requestStarted() {}
  func requestFinished(_ summary: RequestSummary) {}
  func decoderFailed(_ reason: String) {}
  func queueChanged(length: Int) {}
  func queueLeft(after time: Duration) {}
}

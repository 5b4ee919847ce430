import Testing

@testable import LqipService
@testable import LqipSystem

@Suite struct TrackedConnectionTests {
  private let start = MonotonicTime.now
  private let limits = ServerLimits(jobs: 1)

  private func connection(
    _ phase: TrackedConnection.Phase?, bytes: Int = 0, at time: Duration = .zero
  ) -> TrackedConnection {
    var connection = TrackedConnection(at: start + time)
    connection.enter(.waiting, at: start + time)
    if let phase {
      connection.enter(.head, at: start + time)
      connection.enter(phase, at: start + time)
    }
    connection.bodyByteCount = bytes
    return connection
  }

  /// Returns the index of the connection to evict first after a number of seconds.
  private func first(_ connections: [TrackedConnection], after seconds: Int) -> Int32? {
    let connections = connections.enumerated().map { (Int32($0), $1) }
    return TrackedConnection.evictionOrder(
      of: Dictionary(uniqueKeysWithValues: connections), at: start + .seconds(seconds)
    ).first
  }

  /// Returns the first whole second after which a connection is closed, and the reason.
  private func end(_ connection: TrackedConnection, drainingAfter drainStart: Int? = nil) -> String
  {
    let drainStart = drainStart.map { start + .seconds($0) }
    for second in 0...1000 {
      let now = start + .seconds(second)
      if let reason = connection.overdueReason(at: now, limits, drainStart: drainStart) {
        return "\(second) \(reason)"
      }
    }
    return "never"
  }

  @Test func `the longest idle connection is evicted first`() {
    let waiting = [
      connection(.body), connection(.waiting, at: .seconds(2)), connection(nil, at: .seconds(1)),
      connection(.head),
    ]
    #expect(first(waiting, after: 30) == 2)
  }

  @Test func `without idle connections, the slowest upload is evicted first`() {
    let bodies = [
      connection(.body, bytes: 15_000), connection(.body, bytes: 100_000),
      connection(.body, bytes: 30), connection(.response),
    ]
    #expect(first(bodies, after: 3) == 2)
    #expect(first(Array(bodies[..<2]), after: 3) == 0)
  }

  @Test func `a new connection or request is evicted last`() {
    let slow = [connection(nil, at: .seconds(9)), connection(.body, bytes: 15_000)]
    #expect(first(slow, after: 9) == 1)
    #expect(first(slow, after: 10) == 0)
    #expect(first([connection(nil), connection(nil, at: .seconds(-0.5))], after: 0) == 1)
    #expect(first([connection(.head), connection(nil, at: .seconds(-0.5))], after: 0) == 1)
    #expect(first([connection(.head), connection(nil, at: .seconds(-1))], after: 0) == 1)
    #expect(first([connection(nil), connection(.waiting)], after: 0) == 1)
  }

  @Test func `a client that connected later is evicted later, even if it has sent nothing yet`() {
    var early = connection(nil)
    early.enter(.head, at: start + .milliseconds(20))
    #expect(first([connection(nil, at: .milliseconds(10)), early], after: 0) == 1)
  }

  @Test func `fast uploads and pending responses are not evicted`() {
    #expect(first([connection(.body, bytes: 2 << 20)], after: 2) == nil)
    #expect(first([connection(.body, bytes: 2 << 20)], after: 30) == 0)
    #expect(first([connection(.response)], after: 30) == nil)
  }

  @Test func `each phase and the complete request have time limits`() {
    #expect(end(connection(nil)) == "10 idle")
    #expect(end(connection(.waiting)) == "180 idle")
    #expect(end(connection(.head)) == "10 slowHead")
    #expect(end(connection(.sending)) == "60 slowAnswer")
    var connection = connection(.head)
    connection.enter(.body, at: start + .seconds(9))
    #expect(end(connection) == "39 slowBody")
    connection.enter(.body, at: start + .seconds(50))
    #expect(end(connection) == "60 slowBody")
    connection.enter(.response, at: start + .seconds(55))
    #expect(end(connection) == "60 slowAnswer")
  }

  @Test func `a shutdown closes idle connections within a second`() {
    #expect(end(connection(.waiting), drainingAfter: 5) == "6 draining")
    #expect(end(connection(.waiting, at: .seconds(7)), drainingAfter: 5) == "8 draining")
    #expect(end(connection(.body), drainingAfter: 5) == "30 slowBody")
  }
}

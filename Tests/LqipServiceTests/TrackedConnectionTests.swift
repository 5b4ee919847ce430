import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct TrackedConnectionTests {
  private let start = ContinuousClock.now
  private let limits = ServerLimits(jobs: 1)

  private func connection(
    _ phase: TrackedConnection.Phase?, bytes: [Int] = [], at time: Duration = .zero
  ) -> TrackedConnection {
    var connection = TrackedConnection(at: start + time, limit: .seconds(10))
    if let phase { connection.enter(phase, at: start + time, limits, lastCall: nil) }
    for (second, count) in bytes.enumerated() {
      connection.progress(count, at: start + time + .seconds(second + 1))
    }
    return connection
  }

  /// Returns the index of the first connection to evict after a number of seconds.
  private func first(_ connections: [TrackedConnection], after seconds: Int) -> Int32? {
    TrackedConnection.order(
      toMakeWay: connections.enumerated().map { (key: Int32($0), value: $1) },
      at: start + .seconds(seconds)
    ).first
  }

  @Test func `the longest idle connection is evicted first`() {
    let waiting = [
      connection(.body), connection(.waiting, at: .seconds(2)), connection(nil, at: .seconds(1)),
      connection(.head),
    ]
    #expect(first(waiting, after: 30) == 2)
  }

  @Test func `the slowest upload is evicted next`() {
    let bodies = [
      connection(.body, bytes: [5000, 5000, 5000]), connection(.body, bytes: [900_000, 1, 1]),
      connection(.body, bytes: [10, 10, 10]), connection(.answer),
    ]
    #expect(first(bodies, after: 3) == 1)
    #expect(first(Array(bodies[..<1] + bodies[2...]), after: 3) == 1)
  }

  @Test func `a new connection is evicted last`() {
    let slow = [connection(nil, at: .seconds(9)), connection(.body, bytes: [5000, 5000, 5000])]
    #expect(first(slow, after: 9) == 1)
    #expect(first(slow, after: 10) == 0)
    #expect(first([connection(nil), connection(nil, at: .seconds(-0.5))], after: 0) == 1)
    #expect(first([connection(nil), connection(.waiting)], after: 0) == 1)
  }

  @Test func `new requests, fast uploads and pending responses are not evicted`() {
    let mebibyte = 1 << 20
    #expect(first([connection(.body), connection(.head), connection(.sending)], after: 0) == nil)
    #expect(first([connection(.body, bytes: [mebibyte, mebibyte])], after: 2) == nil)
    #expect(first([connection(.body, bytes: [mebibyte, mebibyte])], after: 30) == 0)
    #expect(first([connection(.answer)], after: 30) == nil)
    var cut = connection(.waiting)
    cut.cut = .idle
    #expect(first([cut], after: 30) == nil)
  }

  @Test func `each phase has a deadline, and so has the complete request`() {
    #expect(connection(nil).deadline == start + .seconds(10))
    #expect(connection(.waiting).deadline == start + limits.idleDeadline)
    #expect(connection(.head).deadline == start + limits.headDeadline)
    var connection = connection(.head)
    connection.enter(.body, at: start + .seconds(9), limits, lastCall: nil)
    #expect(connection.deadline == start + .seconds(39))
    connection.enter(.body, at: start + .seconds(50), limits, lastCall: nil)
    #expect(connection.deadline == start + limits.requestDeadline)
    connection.enter(.sending, at: start + .seconds(55), limits, lastCall: nil)
    #expect(connection.deadline == start + limits.requestDeadline)
    connection.enter(.waiting, at: start + .seconds(56), limits, lastCall: .seconds(1))
    #expect(connection.deadline == start + .seconds(57))
  }

  @Test func `waiting for memory extends the deadlines`() {
    var body = connection(.body, bytes: [1 << 20])
    let deadline = body.deadline
    body.pause(at: start + .seconds(2))
    #expect(!body.canMakeWay(at: start + .seconds(20)))
    #expect(!body.isOverdue(at: start + .seconds(90)))
    body.resume(at: start + .seconds(12))
    #expect(body.deadline == deadline + .seconds(10))
    #expect(!body.canMakeWay(at: start + .seconds(11.9)))
    #expect(body.canMakeWay(at: start + .seconds(30)))
    body.enter(.answer, at: start + .seconds(20), limits, lastCall: nil)
    // The connection had no head phase, so its request deadline counts from the connection.
    #expect(body.isOverdue(at: body.deadline))
  }

  @Test func `the idle deadline exceeds the keep-alive time of proxies`() {
    // nginx keeps idle connections for 60 s, Go for 90 s and Caddy for 120 s.
    #expect(limits.idleDeadline > .seconds(120))
  }
}

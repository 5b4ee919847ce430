import PlaceholdersTestSupport
import Testing

@testable import LqipTestSupport
@testable import lqip
@testable import LqipSystem
@testable import LqipService

extension ServerTests {
  @Suite struct DecodeQueueTests {
    private static let request = "POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"

    private func limits(slots: Int, queue: Int) -> ServerLimits {
      var limits = ServerLimits(jobs: slots)
      limits.queueLength = queue
      // If a permit is lost, a queued request gets 503 after this deadline, and the test fails.
      limits.queueTimeout = .seconds(60)
      return limits
    }

    @Test func `requests above the queue limit get 503, and queued requests succeed`() throws {
      let server = try TestServer(limits(slots: 2, queue: 3))
      let accepted = try (1...5).map { _ in try server.client() }
      for client in accepted { client.send(Self.request) }
      #expect(server.gate.waitForArrivals(2))
      #expect(server.journal.wait { $0.queue == 3 })
      for _ in 1...10 {
        let client = try server.client()
        client.send(Self.request)
        let response = try client.response()
        #expect(response.status == 503)
        #expect(response.code == "busy")
        #expect(response.fields["retry-after"] == "1")
        #expect(response.fields["connection"] == nil)
      }
      #expect(server.seen.count == 2)
      server.gate.open()
      for client in accepted { #expect(try client.response().status == 200) }
      #expect(server.journal.wait { $0.queue == 0 })
    }

    @Test func `a request gets 503 after the queue deadline`() throws {
      var limits = limits(slots: 1, queue: 3)
      limits.queueTimeout = .milliseconds(200)
      let server = try TestServer(limits)
      let first = try server.client()
      first.send(Self.request)
      #expect(server.gate.waitForArrivals(1))
      let second = try server.client()
      second.send(Self.request)
      #expect(try second.response().status == 503)
      #expect(server.journal.wait { $0.queue == 0 })
      server.gate.open()
      #expect(try first.response().status == 200)
      second.send(Self.request)
      #expect(try second.response().status == 200)
    }
  }
}

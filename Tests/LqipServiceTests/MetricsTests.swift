import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import LqipRecords
@testable import LqipService

@Suite struct MetricsTests {
  private let metrics = Metrics()

  private func end(
    _ route: String?, _ status: Int, _ outcome: String = "ok", milliseconds: Int? = nil
  ) {
    metrics.count { counts in
      counts.inFlight += 1
      counts.add(
        RequestSummary(
          route: route, status: status, bytesIn: 10, bytesOut: 3,
          decodingTime: milliseconds.map { .milliseconds($0) }, outcome: outcome))
    }
  }

  private func samples() -> [String: String] {
    let lines = metrics.text.split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.filter { !$0.hasPrefix("#") }.compactMap { line in
        line.lastIndex(of: " ").map {
          (String(line[..<$0]), String(line[line.index(after: $0)...]))
        }
      })
  }

  @Test func `requests are counted by route and status`() {
    end("/v1/encode", 200)
    end("/v1/encode", 200)
    end("/v1/encode", 422, "corrupt")
    end(nil, 404, "not_found")
    end(nil, 404, "not_found")
    metrics.count {
      $0.inFlight += 1
      $0.queueLengths = [.encoding: 7, .drawing: 2]
    }
    let samples = samples()
    #expect(samples["lqip_requests_total{route=\"/v1/encode\",status=\"200\"}"] == "2")
    #expect(samples["lqip_requests_total{route=\"/v1/encode\",status=\"422\"}"] == "1")
    #expect(samples["lqip_requests_total{route=\"other\",status=\"404\"}"] == "2")
    #expect(samples["lqip_refusals_total{reason=\"corrupt\"}"] == "1")
    #expect(samples["lqip_refusals_total{reason=\"not_found\"}"] == "2")
    #expect(samples["lqip_refusals_total{reason=\"ok\"}"] == nil)
    #expect(samples["lqip_received_bytes_total"] == "50")
    #expect(samples["lqip_sent_bytes_total"] == "15")
    #expect(samples["lqip_requests_in_flight"] == "1")
    #expect(samples["lqip_queue_depth{work=\"encoding\"}"] == "7")
    #expect(samples["lqip_queue_depth{work=\"drawing\"}"] == "2")
  }

  @Test func `dropped log lines, queue waits and request times are counted`() {
    let metrics = Metrics(droppedLineCount: { 5 })
    metrics.count {
      $0.waiting.add(.milliseconds(3))
      $0.add(RequestSummary(totalTime: .seconds(20)))
    }
    for line in [
      "lqip_log_lines_dropped_total 5",
      "lqip_queue_wait_seconds_bucket{le=\"0.0025\"} 0",
      "lqip_queue_wait_seconds_bucket{le=\"0.005\"} 1",
      "lqip_request_seconds_bucket{le=\"10\"} 0", "lqip_request_seconds_count 1",
    ] {
      #expect(metrics.text.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
  }

  @Test func `open connections are counted, and closed ones by reason`() {
    metrics.count {
      $0.connections = 2
      $0.closedConnections[.slowHead] = 1
    }
    #expect(samples()["lqip_connections_open"] == "2")
    #expect(samples()["lqip_connections_cut_total{reason=\"slow_head\"}"] == "1")
  }

  @Test func `decoding times are counted in cumulative buckets`() {
    for milliseconds in [1, 2, 30, 20_000] { end("/v1/encode", 200, milliseconds: milliseconds) }
    end("/v1/encode", 200)
    let samples = samples()
    let counts = ["0.001": "1", "0.0025": "2", "0.025": "2", "0.05": "3", "10": "3", "+Inf": "4"]
    for (bound, count) in counts {
      #expect(samples["lqip_decode_seconds_bucket{le=\"\(bound)\"}"] == count)
    }
    #expect(samples["lqip_decode_seconds_count"] == "4")
    #expect(samples["lqip_decode_seconds_sum"] == "20.033")
  }

  @Test func `the process metrics and the build info are present`() throws {
    let samples = samples()
    for name in ["process_start_time_seconds", "process_cpu_seconds_total"] {
      #expect(try #require(samples[name].flatMap(Double.init)) > 0)
    }
    #expect(
      samples[
        "lqip_build_info{version=\"\(ProgramVersion.current)\",algorithm=\"\(PlaceholderEncoder.algorithmVersion)\"}"
      ] == "1")
    #if os(Linux)
    #expect(try #require(samples["process_resident_memory_bytes"].flatMap(Int.init)) > 1 << 20)
    #expect(try #require(samples["process_open_fds"].flatMap(Int.init)) >= 3)
    #endif
  }

  @Test func `every line conforms to the Prometheus text format`() {
    end("/v1/encode", 200, milliseconds: 3)
    let text = metrics.text
    #expect(text.hasSuffix("\n"))
    let name = "[a-z_]+"
    let label = "[a-z]+=\"[^\"\\\\]*\""
    let line =
      "# HELP \(name) .+\\.|# TYPE \(name) (counter|gauge|histogram)"
      + "|\(name)(\\{\(label)(,\(label))*\\})? [0-9.e+-]+"
    for written in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      #expect((try? Regex(line).wholeMatch(in: written)) != nil, "\(written)")
    }
  }
}

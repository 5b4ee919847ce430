import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import PlaceholderEncoding

@Suite struct MetricsTests {
  private let metrics = Metrics { 5 }

  private func end(
    _ route: String?, _ status: Int, _ outcome: String = "ok", milliseconds: Int? = nil
  ) {
    metrics.count { counts in
      counts.inFlight += 1
      counts.add(
        RequestSummary(
          route: route, status: status, decodingTime: milliseconds.map { .milliseconds($0) },
          totalTime: .seconds(20), outcome: outcome))
    }
  }

  /// Checks that the metrics contain these lines.
  private func expect(
    _ lines: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let written = Set(metrics.text.split(separator: "\n").map(String.init))
    for line in lines {
      #expect(written.contains(line), "\(line)", sourceLocation: sourceLocation)
    }
  }

  @Test func `requests are counted by route and status`() {
    end("/v1/encode", 200)
    end("/v1/encode", 200)
    end("/v1/encode", 422, "corrupt")
    end(nil, 404, "not_found")
    end(nil, 404, "not_found")
    metrics.count {
      $0.inFlight += 1
      $0.decoderFailures["crashed"] = 1
    }
    expect(
      "lqip_requests_total{route=\"/v1/encode\",status=\"200\"} 2",
      "lqip_requests_total{route=\"/v1/encode\",status=\"422\"} 1",
      "lqip_requests_total{route=\"other\",status=\"404\"} 2",
      "lqip_refusals_total{reason=\"corrupt\"} 1", "lqip_refusals_total{reason=\"not_found\"} 2",
      "lqip_decoder_failures_total{reason=\"crashed\"} 1", "lqip_requests_in_flight 1",
      "lqip_request_seconds_bucket{le=\"10\"} 0", "lqip_request_seconds_count 5")
    #expect(!metrics.text.contains("reason=\"ok\""))
  }

  @Test func `waits, closed connections, dropped log lines and versions are reported`() {
    metrics.count {
      $0.waiting.add(.milliseconds(3))
      $0.closedConnections[.slowHead] = 1
    }
    expect(
      "lqip_queue_wait_seconds_bucket{le=\"0.0025\"} 0",
      "lqip_queue_wait_seconds_bucket{le=\"0.005\"} 1",
      "lqip_connections_cut_total{reason=\"slow_head\"} 1", "lqip_log_lines_dropped_total 5",
      "lqip_library_info{library=\"libpng\",version=\"\(CodecLibrary.libpng.version ?? "")\"} 1",
      "lqip_build_info{version=\"\(ProgramVersion.current)\","
        + "algorithm=\"\(PlaceholderEncoder.algorithmVersion)\"} 1")
  }

  @Test func `decoding times are counted in cumulative buckets`() {
    for milliseconds in [1, 2, 30, 20_000] { end("/v1/encode", 200, milliseconds: milliseconds) }
    end("/v1/encode", 200)
    let counts = ["0.001": 1, "0.0025": 2, "0.025": 2, "0.05": 3, "10": 3, "+Inf": 4]
    for (bound, count) in counts { expect("lqip_decode_seconds_bucket{le=\"\(bound)\"} \(count)") }
    expect("lqip_decode_seconds_count 4", "lqip_decode_seconds_sum 20.033")
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

  @Test func `label values are escaped`() {
    var text = PrometheusText()
    text.add("a_total", "Help.", [([("b", "\"x\\y\n"), ("c", "é")], 5)])
    #expect(
      text.text
        == "# HELP a_total Help.\n# TYPE a_total counter\na_total{b=\"\\\"x\\\\y\\n\",c=\"é\"} 5\n"
    )
  }
}

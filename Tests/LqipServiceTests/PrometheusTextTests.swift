import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import LqipRecords
@testable import LqipService

@Suite struct PrometheusTextTests {
  @Test func `label values are escaped`() {
    var text = PrometheusText()
    text.add("a_total", "Help.", [([("b", "\"x\\y\n"), ("c", "é")], 0.5)])
    #expect(
      text.text
        == "# HELP a_total Help.\n# TYPE a_total counter\na_total{b=\"\\\"x\\\\y\\n\",c=\"é\"} 0.5\n"
    )
  }
}

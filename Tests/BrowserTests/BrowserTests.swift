import PlaceholdersTestSupport
import Testing

/// Tests that need a browser, run one at a time.
@Suite(
  .serialized, .sharedBrowsers,
  .enabled(if: Chromium.isInstalled, "Chromium is not installed; run scripts/test-tools"))
struct BrowserTests {
  /// Verifies that the other tests can fail.
  @Test func `console messages and requests of a page are detected`() throws {
    let chromium = try Chromium()
    try chromium.write(
      "page.html",
      """
      <!doctype html><img src="http://images.example/a.png">
      <script>console.error("complaint"); document.body.append("ran")</script>
      """)
    let visit = try chromium.visit("page.html")
    #expect(visit.document.contains("ran"))
    #expect(visit.messages.contains { $0.contains("complaint") })
    #expect(visit.requests.contains("http://images.example/a.png"))
  }
}

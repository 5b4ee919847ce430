import PlaceholdersTestSupport
import Testing

/// What only a browser can tell; one runs at a time.
@Suite(
  .serialized, .sharedBrowsers,
  .enabled(if: Chromium.isInstalled, "Chromium is not installed; scripts/test-tools does that"))
struct BrowserTests {
  /// If the tests were blind, they would pass.
  @Test func `a page that complains and calls out is noticed`() throws {
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

import PlaceholdersTestSupport

/// The server's page in a browser.
struct ServedPage {
  let server: RunningServer
  let session: any BrowserSession

  init(in browser: Browser) throws {
    server = try RunningServer()
    session = try browser.open(server.url + "/")
  }

  /// Chooses fixtures by name.
  func choose(_ names: String...) throws {
    try session.choose(names.map(Fixtures.path), in: "input[type=file]")
  }

  /// Waits until the page shows a progress text.
  func waitForProgress(_ text: String) throws {
    try session.wait(for: "document.querySelector('.progress').textContent", toBe: text)
  }

  /// Replaces the page's `fetch` with a function.
  func replaceFetch(with function: String) throws {
    _ = try session.evaluate("void (window.fetch = \(function))")
  }
}

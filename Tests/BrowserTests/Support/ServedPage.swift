import PlaceholdersTestSupport

/// The page of a server, in a browser.
struct ServedPage {
  let server: RunningServer
  let session: any BrowserSession

  init(in browser: Browser) throws {
    server = try RunningServer()
    session = try browser.open(server.url + "/")
  }

  /// Chooses images by their names among the fixtures.
  func choose(_ names: String...) throws {
    try session.choose(names.map(Fixtures.path), in: "input[type=file]")
  }

  /// Waits for the words on how far it is.
  func waitForProgress(_ text: String) throws {
    try session.wait(for: "document.querySelector('.progress').textContent", toBe: text)
  }

  /// Has the page's requests wait, or fail, or do as they do.
  func answerRequests(by function: String) throws {
    _ = try session.evaluate("void (window.fetch = \(function))")
  }
}

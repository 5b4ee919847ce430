import PlaceholdersTestSupport
import Foundation

@testable import Placeholders

/// Headless Chromium that opens a page in its own directory and exits.
struct Chromium {
  /// The result of visiting a page.
  struct Visit {
    /// The source of the document after its scripts have run.
    let document: String
    /// The messages on the console.
    let messages: [String]
    /// The URLs that the page requested.
    let requests: [String]
  }

  static let isInstalled = executable != nil

  static let executable: URL? = {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
    let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return names.lazy
      .flatMap { name in directories.map { "\($0)/\(name)" } }
      .first(where: FileManager.default.isExecutableFile)
      .map { URL(fileURLWithPath: $0) }
  }()

  /// Returns the options that isolate the browser.
  static func arguments(profile: String) -> [String] {
    [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--user-data-dir=\(profile)",
    ]
  }

  /// The time limit for a page in seconds.
  private static let seconds = 120.0

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Returns the path of a file in the browser's directory.
  func file(_ name: String) -> String {
    directory.file(name)
  }

  /// Writes a page into the browser's directory.
  func write(_ name: String, _ text: String) throws {
    try directory.write(name, Array(text.utf8))
  }

  /// Opens a page and runs its scripts until they are idle.
  func visit(_ name: String, fragment: String = "", _ options: String...) throws -> Visit {
    let log = file("network.json")
    let run = try run(
      name + fragment,
      [
        "--dump-dom", "--enable-logging=stderr", "--log-net-log=\(log)",
        // Virtual time skips idle periods.
        "--virtual-time-budget=20000",
      ] + options)
    let messages = run.errors.split(separator: "\n").filter { $0.contains(":CONSOLE") }
    // Requests of the browser itself, such as for updates, have no origin.
    let requests = try String(contentsOfFile: log, encoding: .utf8)
      .matches(of: /"initiator":"([^"]*)".*?"url":"([^"]*)"/)
      .filter { $0.1 != "not an origin" }
    return Visit(
      document: run.output, messages: messages.map(String.init),
      requests: requests.map { String($0.2) })
  }

  /// Takes a screenshot of a page.
  func screenshot(_ name: String, width: Int, height: Int) throws -> RGBABitmap {
    let image = file("screenshot.png")
    _ = try run(
      name,
      [
        "--screenshot=\(image)", "--window-size=\(width),\(height)", "--hide-scrollbars",
        "--force-device-scale-factor=1", "--force-color-profile=srgb",
      ])
    return try PlainPNG(Array(try Data(contentsOf: URL(fileURLWithPath: image)))).bitmap()
  }

  private func run(
    _ page: String, _ options: [String]
  ) throws -> (output: String, errors: String) {
    let output = try directory.write("output", [])
    let errors = try directory.write("errors", [])
    let process = Process()
    process.executableURL = Self.executable
    process.arguments =
      Self.arguments(profile: file("profile")) + options + ["file://\(file(page))"]
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    let termination = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.seconds, execute: termination)
    process.waitUntilExit()
    termination.cancel()
    return (try directory.text(of: "output"), try directory.text(of: "errors"))
  }
}

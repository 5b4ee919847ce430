import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

/// A page in headless Chromium, controlled by the DevTools protocol.
final class ChromiumSession: BrowserSession {
  private let process = Process()
  private let watchdog: Watchdog
  private let commands = Pipe()
  private let responses = Pipe()
  private let profile = TemporaryDirectory()
  private var received = Data()
  private var callCount = 0
  private var session: String?

  var isRunning: Bool { process.isRunning }

  /// The console messages and script errors since the last visit.
  private(set) var messages: [String] = []
  /// The URLs that the page requested since the last visit.
  private(set) var requests: [String] = []

  /// Opens a page.
  init(_ url: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The browser reads commands from descriptor 3, and writes to descriptor 4.
    let script = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"
    process.arguments =
      ["-c", script, "sh", try #require(Chromium.executable).path, "--remote-debugging-pipe"]
      + Chromium.arguments(profile: profile.path)
    process.standardInput = commands
    process.standardOutput = responses
    try process.run()
    watchdog = Watchdog(process, seconds: 120)
    let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"]
    let attached = try call(
      "Target.attachToTarget", ["targetId": try #require(target), "flatten": true])
    session = try #require(attached["sessionId"] as? String)
    for domain in ["Runtime", "Log", "Network", "Page", "DOM"] { try call("\(domain).enable") }
    try visit(url)
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  func visit(_ url: String) throws {
    watchdog.restart()
    try call("Emulation.clearDeviceMetricsOverride")
    try emulate(.screen)
    try call("Page.navigate", ["url": "about:blank"])
    (messages, requests) = ([], [])
    try call("Page.navigate", ["url": url])
    try wait(for: "document.readyState", toBe: "complete")
  }

  func emulate(_ medium: Medium) throws {
    let features = [
      ["name": "prefers-color-scheme", "value": medium == .dark ? "dark" : "light"],
      ["name": "forced-colors", "value": medium == .forcedColors ? "active" : "none"],
      [
        "name": "prefers-reduced-motion",
        "value": medium == .reducedMotion ? "reduce" : "no-preference",
      ],
    ]
    try call(
      "Emulation.setEmulatedMedia",
      ["media": medium == .print ? "print" : "screen", "features": features])
  }

  func choose(_ files: [String], in selector: String) throws {
    let document = try #require(try call("DOM.getDocument")["root"] as? [String: Any])
    let input = try call(
      "DOM.querySelector",
      ["nodeId": try #require(document["nodeId"]), "selector": selector])
    try call("DOM.setFileInputFiles", ["nodeId": try #require(input["nodeId"]), "files": files])
  }

  /// Drops files and folders on the page.
  func drop(_ paths: [String]) throws {
    let data: [String: Any] = ["items": [String](), "files": paths, "dragOperationsMask": 1]
    for type in ["dragEnter", "dragOver", "drop"] {
      try call("Input.dispatchDragEvent", ["type": type, "x": 100, "y": 100, "data": data])
    }
  }

  func press(_ isPressed: Bool, x: Int, y: Int) throws {
    try call(
      "Input.dispatchMouseEvent",
      ["type": isPressed ? "mousePressed" : "mouseReleased", "x": x, "y": y, "button": "left"])
  }

  func resize(width: Int, height: Int) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
  }

  /// Takes a screenshot of a window of this size.
  func screenshot(width: Int, height: Int) throws -> RGBABitmap {
    try resize(width: width, height: height)
    let image = try call("Page.captureScreenshot")["data"] as? String
    return try RGBABitmap(base64PNG: image)
  }

  /// Evaluates an expression, awaits its promise, and returns the value as text.
  func evaluate(_ expression: String) throws -> String {
    let text = "Promise.resolve(\(expression)).then(String)"
    let response = try call("Runtime.evaluate", ["expression": text, "awaitPromise": true])
    let result = try #require(response["result"] as? [String: Any])
    return try #require(result["value"] as? String, "\(response)")
  }

  @discardableResult
  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    callCount += 1
    var message: [String: Any] = ["id": callCount, "method": method, "params": parameters]
    message["sessionId"] = session
    let text = try JSONSerialization.data(withJSONObject: message)
    try commands.fileHandleForWriting.write(contentsOf: text + [0])
    while true {
      let response = try nextMessage()
      guard response["id"] as? Int != callCount else {
        return try #require(response["result"] as? [String: Any], "\(method): \(response)")
      }
      record(response)
    }
  }

  /// Reads the next message, which ends with a NUL.
  private func nextMessage() throws -> [String: Any] {
    while true {
      if let end = received.firstIndex(of: 0) {
        let text = received[..<end]
        received = Data(received[(end + 1)...])
        return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
      }
      let more = responses.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the browser has exited")
      received += more
    }
  }

  private func record(_ event: [String: Any]) {
    let parameters = event["params"] as? [String: Any] ?? [:]
    switch event["method"] as? String {
    case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
      // The browser logs the error status of a rejected image, which is not a defect of the page.
      let entry = parameters["entry"] as? [String: Any]
      let isRejection =
        entry?["source"] as? String == "network"
        && (entry?["url"] as? String)?.contains("/v1/encode?") == true
      if !isRejection { messages.append("\(parameters)") }
    case "Network.requestWillBeSent":
      let request = parameters["request"] as? [String: Any]
      requests.append(request?["url"] as? String ?? "")
    default: break
    }
  }
}

/// The installed Chromium.
enum Chromium {
  static let isInstalled = executable != nil

  static let executable = Browser.executable(
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

  /// Returns the options that isolate the browser.
  static func arguments(profile: String) -> [String] {
    [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--user-data-dir=\(profile)",
    ]
  }
}

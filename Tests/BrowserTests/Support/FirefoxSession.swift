import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

/// A page in headless Firefox, controlled by the Marionette protocol.
///
/// Unlike WebDriver, Marionette needs no separate driver.
///
/// Source: Firefox Source Docs, "Marionette", Protocol.
final class FirefoxSession: BrowserSession {
  static let executable = Browser.executable("firefox-esr", "firefox")

  /// The preferences that isolate the browser and disable color management.
  private static let preferences = """
    user_pref("marionette.port", 0);
    user_pref("gfx.color_management.mode", 0);
    user_pref("app.update.auto", false);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("network.captive-portal-service.enabled", false);
    user_pref("network.connectivity-service.enabled", false);
    user_pref("services.settings.server", "data:,");

    """

  private let process = Process()
  private let watchdog: Watchdog
  private let profile = TemporaryDirectory()
  private let client: RawClient
  private var callCount = 0

  /// Opens a page.
  init(_ url: String) throws {
    try profile.write("user.js", Array(Self.preferences.utf8))
    process.executableURL = Self.executable
    process.arguments = [
      "--headless", "--no-remote", "--marionette", "-remote-allow-system-access", "--profile",
      profile.path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["HOME": profile.path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    watchdog = Watchdog(process, seconds: 240)
    client = try RawClient(port: try Self.port(in: profile, of: process))
    _ = try nextMessage()
    try call("WebDriver:NewSession", ["capabilities": [String: Any]()])
    try visit(url)
  }

  deinit {
    // After a signal, child processes would keep running, and `waitUntilExit` would wait for them.
    _ = try? call("Marionette:Quit", ["flags": ["eForceQuit"]])
    process.waitUntilExit()
  }

  /// Waits until the browser listens, and returns its port.
  private static func port(in profile: TemporaryDirectory, of process: Process) throws -> UInt16 {
    while process.isRunning {
      if let text = try? profile.text(of: "MarionetteActivePort"), let port = UInt16(text) {
        return port
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw RawClient.Failure(reason: "the browser has exited")
  }

  /// The script errors of the page and the policy violations.
  var messages: [String] {
    let script = """
      return Services.console.getMessageArray()
        .filter((message) => message instanceof Ci.nsIScriptError)
        .filter(({ category, sourceName }) => category.startsWith("CSP")
          || category == "content javascript" || sourceName.startsWith("http://127.0.0.1"))
        .map((message) => `${message.category}: ${message.errorMessage}`);
      """
    do {
      return try #require(try evaluateInBrowser(script) as? [String])
    } catch {
      return ["\(error)"]
    }
  }

  var isRunning: Bool { process.isRunning }

  func visit(_ url: String) throws {
    watchdog.restart()
    try call("WebDriver:Navigate", ["url": "about:blank"])
    _ = try evaluateInBrowser("Services.console.reset()")
    try emulate(.screen)
    _ = try evaluateInBrowser("gBrowser.selectedBrowser.style.maxWidth = '';")
    try call("WebDriver:SetWindowRect", ["width": 1280, "height": 800])
    try call("WebDriver:Navigate", ["url": url])
  }

  func emulate(_ medium: Medium) throws {
    _ = try evaluateInBrowser(
      """
      const context = gBrowser.selectedBrowser.browsingContext;
      context.mediumOverride = "\(medium == .print ? "print" : "")";
      context.prefersColorSchemeOverride = "\(medium == .dark ? "dark" : "light")";
      context.forcedColorsOverride = "\(medium == .forcedColors ? "active" : "none")";
      Services.prefs.setIntPref("ui.prefersReducedMotion", \(medium == .reducedMotion ? 1 : 0));
      """)
  }

  /// Runs a script with the privileges of the browser.
  private func evaluateInBrowser(_ script: String) throws -> Any? {
    try call("Marionette:SetContext", ["value": "chrome"])
    let response = try call("WebDriver:ExecuteScript", ["script": script, "args": [String]()])
    try call("Marionette:SetContext", ["value": "content"])
    return response["value"]
  }

  func choose(_ files: [String], in selector: String) throws {
    let found = try call("WebDriver:FindElement", ["using": "css selector", "value": selector])
    let element = try #require((found["value"] as? [String: String])?.values.first)
    try call("WebDriver:ElementSendKeys", ["id": element, "text": files.joined(separator: "\n")])
  }

  func evaluate(_ expression: String) throws -> String {
    let script = """
      const done = arguments[arguments.length - 1];
      Promise.resolve(\(expression)).then(String, String).then(done);
      """
    let response = try call(
      "WebDriver:ExecuteAsyncScript", ["script": script, "args": [String](), "sandbox": NSNull()])
    return try #require(response["value"] as? String, "\(response)")
  }

  func press(_ isPressed: Bool, x: Int, y: Int) throws {
    guard isPressed else { return _ = try call("WebDriver:ReleaseActions") }
    let actions: [[String: Any]] = [
      ["type": "pointerMove", "x": x, "y": y], ["type": "pointerDown", "button": 0],
    ]
    try call(
      "WebDriver:PerformActions",
      ["actions": [["type": "pointer", "id": "mouse", "actions": actions]]])
  }

  func resize(width: Int, height: Int) throws {
    // A window has a minimum width, but the page inside can be narrower.
    let toolbarHeight = Int(try evaluate("outerHeight - innerHeight")) ?? 0
    try call(
      "WebDriver:SetWindowRect", ["width": max(width, 600), "height": height + toolbarHeight])
    _ = try evaluateInBrowser("gBrowser.selectedBrowser.style.maxWidth = '\(width)px';")
    try wait(for: "`${innerWidth}x${innerHeight}`", toBe: "\(width)x\(height)")
  }

  func screenshot(width: Int, height: Int) throws -> RGBABitmap {
    // The toolbars take some of the window's height.
    let toolbarHeight = Int(try evaluate("outerHeight - innerHeight")) ?? 0
    try call("WebDriver:SetWindowRect", ["width": width, "height": height + toolbarHeight])
    try wait(for: "`${innerWidth}x${innerHeight}`", toBe: "\(width)x\(height)")
    let response = try call("WebDriver:TakeScreenshot", ["full": false, "hash": false])
    return try RGBABitmap(base64PNG: response["value"] as? String)
  }

  @discardableResult
  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    callCount += 1
    let message: [Any] = [0, callCount, method, parameters]
    let text = try JSONSerialization.data(withJSONObject: message)
    client.send(Array("\(text.count):".utf8) + text)
    let response = try #require(try nextMessage() as? [Any])
    try #require(response.count == 4 && response[2] is NSNull, "\(method): \(response)")
    return response[3] as? [String: Any] ?? [:]
  }

  /// Reads the next message, which is prefixed with its length.
  private func nextMessage() throws -> Any {
    let count = String(decoding: try client.bytes(before: UInt8(ascii: ":")), as: UTF8.self)
    let text = try client.bytes(try #require(Int(count)))
    return try JSONSerialization.jsonObject(with: Data(text))
  }
}

import Foundation

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

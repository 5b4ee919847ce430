import Foundation
import LqipTestSupport

@testable import Placeholders

/// A page in a browser, whichever that is.
protocol BrowserSession: AnyObject {
  /// What went wrong in scripts, and what a policy has refused.
  var messages: [String] { get }

  /// The value of an expression, or of what it promises, as text.
  func evaluate(_ expression: String) throws -> String

  /// Draws what is in a window of this size.
  func screenshot(width: Int, height: Int) throws -> Bitmap
}

extension BrowserSession {
  /// Waits until an expression has a value.
  func wait(for expression: String, toBe expected: String) throws {
    for _ in 0..<1000 {
      if try evaluate(expression) == expected { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw RawClient.Failure(reason: "\(expression) is \(try evaluate(expression)) for good")
  }
}

/// The browsers that tests are run in.
enum Browser: String, CaseIterable, Sendable {
  case chromium
  case firefox

  /// Those that are there.
  static let installed = allCases.filter { browser in
    switch browser {
    case .chromium: Chromium.isInstalled
    case .firefox: FirefoxSession.executable != nil
    }
  }

  /// Opens a page.
  func open(_ url: String) throws -> any BrowserSession {
    switch self {
    case .chromium: try ChromiumSession(url)
    case .firefox: try FirefoxSession(url)
    }
  }
}

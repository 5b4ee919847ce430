import Foundation
import LqipTestSupport

@testable import Placeholders

/// A page in a browser, whichever that is.
protocol BrowserSession: AnyObject {
  /// Whether the browser has not ended.
  var isRunning: Bool { get }

  /// What went wrong in scripts since the last visit, and what a policy has refused.
  var messages: [String] { get }

  /// The value of an expression, or of what it promises, as text.
  func evaluate(_ expression: String) throws -> String

  /// Goes to a page, with nothing left of what was set for the last one.
  func visit(_ url: String) throws

  /// Shows the page as people see it who want it so.
  func emulate(_ medium: Medium) throws

  /// Chooses files in a file input, as a person does.
  func choose(_ files: [String], in selector: String) throws

  /// Shows the page in a window of this size until the next visit.
  func resize(width: Int, height: Int) throws

  /// Draws what is in a window of this size.
  func screenshot(width: Int, height: Int) throws -> Bitmap
}

/// What a page is shown on.
enum Medium: CaseIterable, Sendable {
  case screen
  case dark
  case print
  case forcedColors
  case reducedMotion
}

extension BrowserSession {
  /// Waits until an expression has a value.
  func wait(for expression: String, toBe expected: String) throws {
    for _ in 0..<1500 {
      if try evaluate(expression) == expected { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw RawClient.Failure(reason: "\(expression) is \(try evaluate(expression)) for good")
  }
}

import Foundation
import LqipTestSupport

@testable import Placeholders

/// A page in Chromium or Firefox.
protocol BrowserSession: AnyObject {
  /// Whether the browser is running.
  var isRunning: Bool { get }

  /// The script errors and policy violations since the last visit.
  var messages: [String] { get }

  /// Evaluates an expression, awaits its promise, and returns the value as text.
  func evaluate(_ expression: String) throws -> String

  /// Opens a page and resets the emulated medium.
  func visit(_ url: String) throws

  /// Emulates a medium or a user preference.
  func emulate(_ medium: Medium) throws

  /// Chooses files in a file input.
  func choose(_ files: [String], in selector: String) throws

  /// Resizes the window until the next visit.
  func resize(width: Int, height: Int) throws

  /// Presses the mouse at a point of the window, or releases it.
  func press(_ isPressed: Bool, x: Int, y: Int) throws

  /// Takes a screenshot of a window of this size.
  func screenshot(width: Int, height: Int) throws -> RGBABitmap
}

/// A medium or a user preference to emulate.
enum Medium: CaseIterable, Sendable {
  case screen
  case dark
  case print
  case forcedColors
  case reducedMotion
}

extension BrowserSession {
  /// Waits up to 30 seconds for an expression to have a value.
  func wait(for expression: String, toBe expected: String) throws {
    for _ in 0..<1500 {
      if try evaluate(expression) == expected { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw RawClient.Failure(reason: "timed out: \(expression) is \(try evaluate(expression))")
  }
}

import Foundation
import Testing

/// A browser that runs the tests.
enum Browser: String, CaseIterable, Sendable {
  case chromium
  case firefox

  /// The installed browsers.
  static let installed = allCases.filter { browser in
    switch browser {
    case .chromium: Chromium.isInstalled
    case .firefox: FirefoxSession.executable != nil
    }
  }

  /// Returns the first of these programs on `PATH`.
  static func executable(_ names: String...) -> URL? {
    let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return names.lazy
      .flatMap { name in directories.map { "\($0)/\(name)" } }
      .first(where: FileManager.default.isExecutableFile)
      .map { URL(fileURLWithPath: $0) }
  }

  /// The shared session of each browser, because starting a browser takes longer than most tests.
  ///
  /// The access is safe because the tests run one at a time.
  private nonisolated(unsafe) static var sessions: [Browser: any BrowserSession] = [:]

  /// Opens a page in the shared session.
  func open(_ url: String) throws -> any BrowserSession {
    if let session = unsafe Self.sessions[self], session.isRunning {
      try session.visit(url)
      return session
    }
    let session: any BrowserSession =
      switch self {
      case .chromium: try ChromiumSession(url)
      case .firefox: try FirefoxSession(url)
      }
    unsafe Self.sessions[self] = session
    return session
  }

  /// A trait that closes the browsers after its suite.
  struct Sharing: SuiteTrait, TestScoping {
    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      defer { unsafe Browser.sessions = [:] }
      try await function()
    }
  }
}

extension Trait where Self == Browser.Sharing {
  static var sharedBrowsers: Self { Self() }
}

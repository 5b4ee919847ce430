import Foundation
import PlaceholdersTestSupport
import Testing

/// The accessibility checker axe-core.
enum Axe {
  /// The source of axe-core; nil unless scripts/test-tools has installed it.
  static let script: String? = {
    let file = Fixtures.repository.appendingPathComponent(".build/axe/axe.min.js")
    return try? String(contentsOf: file, encoding: .utf8)
  }()
}

extension BrowserSession {
  /// Returns the violations that axe-core finds, one line per element.
  ///
  /// All animations are finished first, because animations outside the viewport never end.
  func violations() throws -> String {
    _ = try evaluate("(() => { \(try #require(Axe.script)); return 0; })()")
    return try evaluate(
      """
      (document.getAnimations().forEach((animation) => animation.finish()), axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(
        ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)).join("\\n")))
      """)
  }
}

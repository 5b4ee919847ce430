import Foundation
import PlaceholdersTestSupport
import Testing

/// axe-core, which finds in a page what keeps people out.
enum Axe {
  /// Its script, where scripts/test-tools has put it.
  static let script: String? = {
    let root = Fixtures.directory.deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent(".build/axe/axe.min.js")
    return try? String(contentsOf: file, encoding: .utf8)
  }()
}

extension BrowserSession {
  /// What axe-core finds in the page once nothing moves any more, one line a place.
  ///
  /// What moves is ended, as it would not end by itself where it is scrolled out of sight.
  func violations() throws -> String {
    _ = try evaluate("(() => { \(try #require(Axe.script)); return 0; })()")
    return try evaluate(
      """
      (document.getAnimations().forEach((animation) => animation.finish()), axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(
        ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)).join("\\n")))
      """)
  }
}

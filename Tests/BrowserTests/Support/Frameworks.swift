import Foundation
import PlaceholdersTestSupport

/// React, Babel and Vue, installed by scripts/test-tools.
enum Frameworks {
  static let names = [
    "babel.min.js", "react.production.min.js", "react-dom.production.min.js", "vue.min.js",
  ]

  static let isInstalled = names.allSatisfy { (try? script($0)) != nil }

  static func script(_ name: String) throws -> String {
    let file = Fixtures.repository.appendingPathComponent(".build/frameworks/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }
}

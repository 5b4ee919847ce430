import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// The recipes of Documentation/on-your-page.md, and the files that they use, on a local server.
struct RecipeSite {
  static let page = "Documentation/on-your-page.md"

  /// The recipes by name.
  private let recipes: [String: String]
  let directory = TemporaryDirectory()
  private let server: FileServer

  init() throws {
    let named = try CodeBlock.all(in: Self.page).filter { !$0.name.isEmpty }
    recipes = Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0.text) })
    server = try FileServer(directory.path)
    let preview = try #require(
      PreviewImage(encoding: try ImageDecoder().decode(fixture: "size-640x480.png").grid))
    for (name, text) in recipes {
      try write(name, text.replacing("SVG", with: preview.svgDataURL))
    }
    for name in try BrowserPackage.names {
      try directory.write(name, try BrowserPackage.bytes(of: name))
    }
    try write("lqip.css", LQIP.stylesheet)
    try write("lqip-css.css", CSSInteger.stylesheet)
    try directory.write("photo.jpg", try Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
    try directory.write("logo.png", try Fixtures.bytes("png-rgba-8-bit.png"))
    // Browsers request this icon from every site.
    try directory.write("favicon.ico", TemporaryDirectory.png)
  }

  /// The names of all recipes.
  var names: [String] { recipes.keys.sorted() }

  /// The names of the recipes that are complete pages.
  var pages: [String] {
    recipes.keys.filter { $0.hasSuffix(".html") }.sorted()
  }

  /// Returns the code of a recipe.
  func recipe(_ name: String) throws -> String {
    try #require(recipes[name])
  }

  func url(of name: String) -> String {
    "\(server.url)/\(name)"
  }

  func write(_ name: String, _ text: String) throws {
    try directory.write(name, Array(text.utf8))
  }

  /// Writes a modified copy of a page.
  func write(_ name: String, from page: String, replacing old: String, with new: String) throws {
    let text = try directory.text(of: page)
    try #require(text.contains(old))
    try write(name, text.replacing(old, with: new))
  }
}

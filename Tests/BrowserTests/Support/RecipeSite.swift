import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

/// The files in Documentation/use-it-on-your-page.md, and those that it names, as a site of this machine.
struct RecipeSite {
  /// The code in the document, by the names behind its languages.
  private let recipes: [String: String]
  /// The document.
  private let document: String
  let directory: TemporaryDirectory
  private let server: FileServer

  init() throws {
    let path = Fixtures.directory.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Documentation/use-it-on-your-page.md")
    document = try String(contentsOf: path, encoding: .utf8)
    recipes = Self.recipes(in: document)
    directory = try TemporaryDirectory()
    server = try FileServer(directory.path)
    let preview = try #require(
      PreviewImage(try ImageDecoder().decode(fixture: "size-640x480.png").grid))
    for (name, text) in recipes {
      try write(name, text.replacing("SVG", with: preview.svgDataURL))
    }
    try write("lqip.css", LQIPStylesheet.text)
    try write("lqip-css.css", IntegerLQIPStylesheet.text)
    try directory.write("photo.jpg", try Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
    try directory.write("logo.png", try Fixtures.bytes("png-rgba-8-bit.png"))
    // Browsers ask for it unasked.
    try directory.write("favicon.ico", TemporaryDirectory.png)
  }

  private static func recipes(in document: String) -> [String: String] {
    let blocks = document.matches(of: /```[a-z-]+ ([a-z.]+)\n((?:.|\n)*?)```/)
    return Dictionary(uniqueKeysWithValues: blocks.map { (String($0.1), String($0.2)) })
  }

  /// What the document says to run for a profile, without the name of the program.
  func command(for profile: String) throws -> [String] {
    let commands = document.matches(of: /`lqip (encode [^`]+)`/)
      .map { $0.1.split(whereSeparator: \.isWhitespace).map(String.init) }
    return try #require(commands.first { $0.contains(profile) })
  }

  /// The names of the whole pages.
  var pages: [String] {
    recipes.keys.filter { $0.hasSuffix(".html") }.sorted()
  }

  /// The code of a name.
  func recipe(_ name: String) throws -> String {
    try #require(recipes[name])
  }

  func url(of name: String) -> String {
    "\(server.url)/\(name)"
  }

  func write(_ name: String, _ text: String) throws {
    try directory.write(name, Array(text.utf8))
  }

  /// Writes another form of a page of the document.
  func write(_ name: String, from page: String, replacing old: String, with new: String) throws {
    let text = try directory.text(of: page)
    try #require(text.contains(old))
    try write(name, text.replacing(old, with: new))
  }
}

import LqipSystem

/// The rules of a site that set the height of images but not their width.
///
/// The width that this program adds to such an image would distort it, so the stylesheet of the pages takes it back.
/// Without that, six of the ten images in `EditedPageTests` are distorted, for example 560×150 instead of 162×150.
package struct HeightRules {
  /// The maximum size in bytes of a stylesheet, and of all `<style>` elements of a page; what follows is ignored.
  package static let sheetLimit = 1 << 20
  /// The maximum number of nested blocks; a stylesheet with more is ignored from there.
  private static let depthLimit = 32
  /// The maximum number of rules.
  private static let limit = 500
  /// Characters of selectors that are not copied: they cannot be part of one, or begin a string, an escape or nesting.
  private static let unsafeCharacters = Set("\"'\\<&;@{}".utf8)
  /// At-rules whose conditions are copied.
  private static let conditions = ["@media", "@supports", "@container"]

  private var rules: [String] = []

  package init() {}

  /// The rules that take the width back.
  package var text: String {
    rules.isEmpty ? "" : "@layer lqip {\n\(rules.map { "  \($0)\n" }.joined())}\n\n"
  }

  /// Adds the rules of the `<style>` elements of a page.
  package mutating func add(stylesIn page: [UInt8]) {
    var rest = page[...]
    var remaining = Self.sheetLimit
    while remaining > 0, let start = Self.position(after: "<style", in: rest) {
      guard let tagEnd = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return }
      let end = Self.position(after: "</style", in: rest[tagEnd...]) ?? rest.endIndex
      let style = rest[(tagEnd + 1)..<end].prefix(remaining)
      add(style)
      remaining -= style.count
      rest = rest[end...]
    }
  }

  private static func position(after tag: String, in page: ArraySlice<UInt8>) -> Int? {
    var start = page.startIndex
    while let next = page[start...].firstIndex(of: UInt8(ascii: "<")) {
      let name = page[next...].prefix(tag.utf8.count)
      if name.lazy.map({ $0 | 0x20 }).elementsEqual(tag.utf8) { return name.endIndex }
      start = next + 1
    }
    return nil
  }

  /// Adds the rules of a stylesheet.
  package mutating func add(_ sheet: ArraySlice<UInt8>) {
    // The text before each open block, and the text since the last brace.
    var blocks: [[UInt8]] = []
    var text: [UInt8] = []
    var rest = sheet
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
          if byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") { break }
        }
        rest = rest.dropFirst()
        text.append(UInt8(ascii: " "))
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        text.append(byte)
        while let next = rest.popFirst(), next != byte {
          if next == UInt8(ascii: "\\") { rest = rest.dropFirst() }
        }
      case UInt8(ascii: "{"):
        guard blocks.count < Self.depthLimit else { return }
        blocks.append(text)
        text = []
      case UInt8(ascii: "}"):
        if let prelude = blocks.popLast(), Self.setsOnlyHeight(text) { add(prelude, in: blocks) }
        text = []
      // The end of a statement such as `@import`.
      case UInt8(ascii: ";") where blocks.isEmpty: text = []
      default: text.append(byte)
      }
    }
  }

  /// Adds the rule for the selectors that may match images.
  private mutating func add(_ prelude: [UInt8], in blocks: [[UInt8]]) {
    let selectors = Self.split(prelude, at: ",").filter(Self.mayMatchImage)
    let outer = blocks.map(Self.trimmed)
    guard !selectors.isEmpty, rules.count < Self.limit,
      outer.allSatisfy({ $0.hasPrefix("@") && Self.isComplete($0.utf8) })
    else { return }
    var rule =
      ":where(img[\(PageScan.mark)~=\"size\"]):where(\(selectors.map(Self.trimmed).joined(separator: ", "))) { width: auto; }"
    for condition in outer.reversed() where !condition.hasPrefix("@layer") {
      guard Self.conditions.contains(where: condition.hasPrefix) else { return }
      rule = "\(condition) { \(rule) }"
    }
    if !rules.contains(rule) { rules.append(rule) }
  }

  /// Returns whether each parenthesis and bracket is closed, and there is no string, whose text is missing.
  private static func isComplete(_ text: some Collection<UInt8>) -> Bool {
    func count(_ character: Unicode.Scalar) -> Int { text.count { $0 == UInt8(ascii: character) } }
    return count("(") == count(")") && count("[") == count("]")
      && !text.contains(where: "\"'\\".utf8.contains)
  }

  /// Returns whether the last part of a selector, such as `.thumb` of `.list > .thumb`, may be an image.
  private static func mayMatchImage(_ selector: ArraySlice<UInt8>) -> Bool {
    guard !selector.contains(where: unsafeCharacters.contains), isComplete(selector),
      !trimmed(selector).isEmpty
    else { return false }
    let parts = [" ", ">", "+", "~", "\n", "\t"].reduce([selector]) { parts, combinator in
      parts.flatMap { split($0, at: combinator) }
    }
    let name = (parts.last { !$0.isEmpty } ?? []).prefix { 0x61...0x7A ~= $0 | 0x20 || $0 == 0x2D }
    return name.isEmpty || name.lazy.map { $0 | 0x20 }.elementsEqual("img".utf8)
  }

  /// Returns whether declarations set the height of an image but not its width.
  static func setsOnlyHeight(_ declarations: [UInt8]) -> Bool {
    var hasHeight = false
    for declaration in declarations.split(separator: UInt8(ascii: ";")) {
      let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1).map(trimmed)
      guard parts.count == 2 else { continue }
      switch parts[0].lowercased() {
      case "width", "inline-size": return false
      case "height", "block-size": hasHeight = hasHeight || isLength(parts[1])
      case "max-height", "max-block-size":
        // Usually, a percentage has nothing to refer to.
        hasHeight = hasHeight || isLength(parts[1]) && !parts[1].includes("%")
      default: break
      }
    }
    return hasHeight
  }

  private static func isLength(_ value: String) -> Bool {
    value.utf8.first.map { !(0x61...0x7A ~= $0) } ?? false
      || ["calc(", "min(", "max(", "clamp(", "var("].contains(where: value.hasPrefix)
  }

  /// Splits text at a character outside parentheses and brackets.
  private static func split(_ text: some Collection<UInt8>, at separator: Character)
    -> [ArraySlice<UInt8>]
  {
    var depth = 0
    return Array(text).split(omittingEmptySubsequences: false) { byte in
      if "([".utf8.contains(byte) { depth += 1 }
      if ")]".utf8.contains(byte) { depth -= 1 }
      return depth == 0 && byte == separator.asciiValue
    }
  }

  private static func trimmed(_ text: some Collection<UInt8>) -> String {
    let words = text.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    return words.joined(separator: " ")
  }
}

import CLqipGumbo
import LqipSystem

/// An element of a parsed page; valid as long as the tree and the page.
@safe struct PageElement {
  /// An attribute of a start tag.
  struct Attribute {
    /// The value without character references.
    let value: [UInt8]
    /// The position of the value in the page, after its quotation mark; 0 without a value.
    let position: Int
    let isQuoted: Bool
  }

  private let element: GumboElement
  private let page: UnsafeRawBufferPointer

  /// Wraps a node; `nil` for text, comments and `<template>`.
  init?(_ node: UnsafeMutablePointer<GumboNode>, in page: UnsafeRawBufferPointer) {
    guard unsafe node.pointee.type == GUMBO_NODE_ELEMENT else { return nil }
    unsafe element = node.pointee.v.element
    unsafe self.page = page
  }

  /// The kind of an HTML element; `nil` for SVG and MathML.
  var tag: GumboTag? {
    unsafe element.tag_namespace == GUMBO_NAMESPACE_HTML ? element.tag : nil
  }

  /// The range of the start tag in the page; `nil` if the parser has added the element.
  var startTag: Range<Int>? { unsafe range(element.original_tag) }
  /// The range of the end tag in the page; `nil` if there is none.
  var endTag: Range<Int>? { unsafe range(element.original_end_tag) }

  var children: [PageElement] {
    unsafe Self.pointers(element.children, to: GumboNode.self).compactMap {
      unsafe PageElement($0, in: page)
    }
  }

  /// The position of the first child, also of text; `nil` if the parser has added it.
  var contentStart: Int? {
    guard let first = unsafe Self.pointers(element.children, to: GumboNode.self).first else {
      return nil
    }
    return unsafe PageElement(first, in: page)?.startTag?.lowerBound
      ?? range(first.pointee.v.text.original_text)?.lowerBound
  }

  /// The position after the name of the start tag, which is `img` or `image`.
  var imageNameEnd: Int? {
    startTag.flatMap { tag in
      let isShort = unsafe tag.count > 4 && page[tag.lowerBound + 3] | 0x20 == UInt8(ascii: "g")
      return tag.lowerBound + (isShort ? 4 : 6)
    }
  }

  subscript(name: String) -> Attribute? {
    let attributes = unsafe Self.pointers(element.attributes, to: GumboAttribute.self)
    guard let match = unsafe attributes.first(where: { unsafe strcmp($0.pointee.name, name) == 0 })
    else { return nil }
    let value = unsafe FilePath(cString: match.pointee.value).bytes
    // Without a value, the parser reports another part of the tag.
    guard let start = unsafe range(match.pointee.original_value)?.lowerBound,
      unsafe page[..<start].last(where: { $0 > 0x20 }) == UInt8(ascii: "=")
    else { return Attribute(value: value, position: 0, isQuoted: false) }
    let isQuoted = unsafe "\"'".utf8.contains(page[start])
    return Attribute(value: value, position: start + (isQuoted ? 1 : 0), isQuoted: isQuoted)
  }

  /// The range of a part of the page; `nil` if it is empty, or if the parser reports a part of something else.
  private func range(_ piece: GumboStringPiece) -> Range<Int>? {
    let length = unsafe piece.length
    guard length > 0, let data = unsafe piece.data, let start = unsafe page.baseAddress else {
      return nil
    }
    let offset = unsafe UnsafeRawPointer(data) - start
    return unsafe offset >= 0 && offset <= page.count - length ? offset..<offset + length : nil
  }

  private static func pointers<Item>(
    _ vector: GumboVector, to type: Item.Type
  ) -> [UnsafeMutablePointer<Item>] {
    unsafe (0..<Int(vector.length)).compactMap {
      unsafe vector.data[$0]?.assumingMemoryBound(to: type)
    }
  }
}

extension PageElement.Attribute {
  func contains(_ text: String) -> Bool { value.firstRange(of: Array(text.utf8)) != nil }

  /// The words between spaces and commas, in lower case.
  var words: [String] {
    value.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
  }
}

extension PageElement {
  /// Whether the browser chooses among files of several widths.
  var hasWidths: Bool {
    self["srcset"]?.words.contains { $0.hasSuffix("w") && Int(decimal: $0.dropLast()) != nil }
      ?? false
  }

  /// Whether the element, a `<link>`, has a stylesheet.
  var isStylesheet: Bool { self["rel"]?.words.contains("stylesheet") ?? false }
}

import LqipSystem

/// The text that an earlier run has added to a page, which the next run replaces if it is outdated.
extension PageScan {
  /// Finds the text that an earlier run has added to images, and regards these images as if they lacked it.
  ///
  /// Text without the mark may be that of a template, and stays.
  package mutating func findAddedText(in page: [UInt8]) {
    for index in images.indices { images[index].findAddedText(in: page) }
  }
}

extension PageScan.Image {
  fileprivate mutating func findAddedText(in page: [UInt8]) {
    var text = AddedText(page[position...])
    let hasWidth = text.value(of: "width") != nil
    let hasHeight = text.value(of: "height") != nil
    let words = text.value(of: PageScan.mark)
    let sizes = words?.replacing(" \(PageScan.only)", with: "") ?? ""
    // A size that was on the page has no word.
    guard ["size", "width height", "width", "height"].contains(sizes),
      hasWidth == (sizes != "height"), hasHeight == (sizes != "width")
    else {
      // A tag that was edited afterwards keeps its attributes, and gets no second mark.
      if hasMark { (width, height) = (width ?? 0, height ?? 0) }
      return
    }
    if hasWidth { width = nil }
    if hasHeight { height = nil }
    var rest = text
    if sizes != words {
      // The placeholder, if there is one, is that of the page.
    } else if let value = rest.value(of: "style"), AddedText.isDeclaration(value) {
      (hasPlaceholder, style, text) = (false, nil, rest)
    } else if Self.dataNames.contains(where: { rest.value(of: $0) != nil }) {
      (hasPlaceholder, text) = (false, rest)
    } else if let start = style?.position, start > position {
      let value = page[start...].prefix(AddedText.limit)
      let declarations = value.indices.lazy.filter { value[$0] == UInt8(ascii: ";") }
        .compactMap { String(validating: value[..<$0], as: UTF8.self) }
      if let added = declarations.first(where: AddedText.isDeclaration) {
        style?.added = "\(added);"
        hasPlaceholder = false
      }
    }
    added = String(decoding: page[position..<text.rest.startIndex], as: UTF8.self)
  }
}

/// A reader of attributes as this program writes them.
private struct AddedText {
  /// The maximum length of a value that this program writes.
  static let limit = 1 << 10

  private(set) var rest: ArraySlice<UInt8>

  init(_ rest: ArraySlice<UInt8>) {
    self.rest = rest
  }

  /// Reads an attribute; `nil` if the next one is another.
  mutating func value(of name: String) -> String? {
    let start = Array(" \(name)=\"".utf8)
    guard rest.starts(with: start) else { return nil }
    let value = rest.dropFirst(start.count).prefix(Self.limit)
    // Text with replaced bytes would have another length than on the page.
    guard let end = value.firstIndex(of: UInt8(ascii: "\"")),
      let text = String(validating: value[..<end], as: UTF8.self)
    else { return nil }
    rest = rest[(end + 1)...]
    return text
  }

  /// Returns whether a style is a single declaration as this program writes it.
  static func isDeclaration(_ text: String) -> Bool {
    let text = text.replacing("/**/", with: " ")
    func has(_ prefix: String, _ characters: String, _ suffix: String = "") -> Bool {
      text.hasPrefix(prefix) && text.hasSuffix(suffix)
        && text.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
          .allSatisfy { $0.isASCIIAlphanumeric || characters.utf8.contains($0) }
    }
    return has("--lqip:#", "") || has("--lqip-css:", "-")
      || has("background:url(data:image/", "+/=;,", ") 0 0/100% 100%")
  }
}

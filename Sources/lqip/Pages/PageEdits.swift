import LqipSystem

/// An image's size and placeholder, for its tag.
package struct ImagePlacement: Hashable, Sendable {
  package var width: Int
  package var height: Int
  /// An attribute such as `data-lqip="#47d37520"`; `nil` for a declaration or no placeholder.
  package var attribute: String?
  /// A declaration such as `--lqip:#47d37520`, without quotation marks; `nil` for an attribute or no placeholder.
  package var declaration: String?

  package init(width: Int, height: Int, attribute: String? = nil, declaration: String? = nil) {
    (self.width, self.height) = (width, height)
    (self.attribute, self.declaration) = (attribute, declaration)
  }
}

/// Text to insert into a page, in place of what an earlier run has inserted; all other bytes stay as they are.
package struct PageEdit: Hashable, Sendable {
  package let position: Int
  package let text: String
  /// The number of bytes that the text replaces.
  package let replacedCount: Int

  package init(position: Int, text: String, replacing old: String = "") {
    (self.position, self.text, replacedCount) = (position, text, old.utf8.count)
  }

  /// Returns the page with the edits, which must be sorted.
  package static func apply(_ edits: [PageEdit], to page: [UInt8]) -> [UInt8] {
    var (bytes, copied) = ([UInt8](), 0)
    bytes.reserveCapacity(page.count + edits.reduce(0) { $0 + $1.text.utf8.count })
    for edit in edits {
      bytes += page[copied..<edit.position]
      bytes += edit.text.utf8
      copied = edit.position + edit.replacedCount
    }
    return bytes + page[copied...]
  }
}

extension PageScan {
  /// The attribute of images whose `width` or `height` this program has added.
  ///
  /// Such a size only reserves space: the stylesheet keeps it from overriding the style of the page. Its words are
  /// `size` (both were added), `width` and `height`, and ``only`` if no placeholder was added with the size.
  static let mark = "data-lqip-auto"
  static let only = "only"

  /// The rules for images with the mark; every rule of a page, in a layer or not, wins against them.
  package static let sizeRules = """
    @layer lqip {
      :where(img[\(mark)~="width"]) { width: auto; }
      :where(img[\(mark)~="height"], img[\(mark)~="size"]) { height: auto; }
    }

    """

  /// Returns whether this program has written a stylesheet.
  package static func isOwn(stylesheet: [UInt8]) -> Bool {
    stylesheet.starts(with: sizeRules.utf8.prefix { $0 != UInt8(ascii: "\n") })
  }

  /// Returns the edits that add what images lack, or replace what is outdated, and a link if there are any.
  ///
  /// `placements` are those of `images`; `nil` leaves an image alone.
  package func edits(_ placements: [ImagePlacement?], link: String) -> [PageEdit] {
    var edits = zip(images, placements).flatMap { image, placement in
      placement.map(image.edits) ?? []
    }
    guard !edits.isEmpty, let linkPosition else { return edits }
    let index = edits.firstIndex { $0.position >= linkPosition } ?? edits.count
    edits.insert(PageEdit(position: linkPosition, text: link), at: index)
    return edits
  }
}

extension PageScan.Image {
  /// Returns the edits that add what the image lacks.
  fileprivate func edits(for placement: ImagePlacement) -> [PageEdit] {
    var (tag, declarations) = ("", "")
    if !hasPlaceholder {
      if let attribute = placement.attribute { tag += " \(attribute)" }
      switch (placement.declaration, style) {
      case (nil, _): break
      case (let declaration?, nil): tag += " style=\"\(declaration)\""
      // The declarations of the page follow, so that they win.
      case (let declaration?, let style?) where style.position > 0:
        let text = style.isQuoted ? declaration : declaration.replacing(" ", with: "/**/")
        declarations = "\(text);"
      default: break
      }
    }
    tag = size(placement, isAlone: tag.isEmpty && declarations.isEmpty) + tag
    let edits = [(position, tag, added), (style?.position ?? 0, declarations, style?.added ?? "")]
    return edits.filter { $0.1 != $0.2 }.map { PageEdit(position: $0, text: $1, replacing: $2) }
  }

  /// Returns what the image lacks, as text; `nil` if there is nothing to add.
  package func lack(of placement: ImagePlacement) -> String? {
    let (edits, size) = (edits(for: placement), size(placement, isAlone: true))
    guard let first = edits.first else { return nil }
    if !added.isEmpty { return "outdated" }
    if size.isEmpty { return "no placeholder" }
    let side = width == nil ? height == nil ? "size" : "width" : "height"
    return edits.count == 1 && first.text == size ? "no \(side)" : "no \(side) and no placeholder"
  }

  /// Returns the missing attributes of the size, in proportion to the one that is there.
  ///
  /// `isAlone` says that no placeholder is added.
  private func size(_ placement: ImagePlacement, isAlone: Bool) -> String {
    let (width, height) = (Double(placement.width), Double(placement.height))
    func mark(_ words: String) -> String {
      "\(PageScan.mark)=\"\(words)\(isAlone ? " \(PageScan.only)" : "")\""
    }
    switch (self.width, self.height) {
    case (nil, nil):
      let words = isResponsive ? "width height" : "size"
      return " width=\"\(placement.width)\" height=\"\(placement.height)\" \(mark(words))"
    case (let own?, nil) where own > 0:
      return " height=\"\(Self.rounded(Double(own) * height / width))\" \(mark("height"))"
    case (nil, let own?) where own > 0:
      return " width=\"\(Self.rounded(Double(own) * width / height))\" \(mark("width"))"
    default: return ""
    }
  }

  private static func rounded(_ length: Double) -> Int { max(1, Int(length.rounded())) }
}

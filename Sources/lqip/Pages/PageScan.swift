/// What a page says about its images, with positions in its bytes.
package struct PageScan: Hashable, Sendable {
  /// An `<img>` with a source.
  ///
  /// Images in comments, scripts, `<template>`, `<noscript>` and SVG are not among them.
  package struct Image: Hashable, Sendable {
    /// The attribute `style`.
    package struct Style: Hashable, Sendable {
      /// The position of its first declaration; 0 if the attribute has no value.
      package var position: Int
      package var isQuoted: Bool
      /// The declaration that an earlier run has added.
      var added = ""
    }

    /// The position after the name of the tag.
    package var position: Int
    /// The value of `src`, without character references.
    package var source: [UInt8]
    /// The attribute in pixels; `nil` if it is missing, 0 for a percentage or text.
    package var width: UInt32?
    package var height: UInt32?
    package var style: Style?
    package var hasPlaceholder: Bool
    /// Whether the tag has the mark of an earlier run, possibly in another place.
    package var hasMark: Bool
    /// Whether the browser may show another file or another width than those of `source`.
    package var isResponsive: Bool
    /// The attributes that an earlier run has added; the other properties disregard them.
    var added = ""
  }

  /// The images in source order.
  package var images: [Image] = []
  /// The `href` of the first `<base>`.
  package var base: [UInt8]?
  /// The position for a link to a stylesheet; `nil` if the page has that link, or no place for it.
  package var linkPosition: Int?

  package init() {}

  /// The name of the stylesheet that pages link.
  package static let stylesheet = "lqip-html.css"
  /// The maximum size of a page in bytes.
  package static let pageLimit = 16 << 20
  /// The maximum size of an address in bytes; images with a longer one are left alone.
  static let addressLimit = 4 << 10

  /// Returns whether a page may contain an image: pages without one need no parser.
  package static func mayFindImages(in page: [UInt8]) -> Bool {
    var last: UInt32 = 0
    for byte in page {
      last = (last << 8 | UInt32(byte | 0x20)) & 0xFF_FFFF
      // "<im"
      if last == 0x3C_696D { return true }
    }
    return false
  }

  /// Returns whether a position follows the name of an image's tag.
  static func isAfterTagName(_ position: Int, in page: Span<UInt8>) -> Bool {
    ["<img", "<image"].contains { name in
      let start = position - name.utf8.count
      return start >= 0 && position < page.count
        && name.utf8.enumerated().allSatisfy { page[start + $0] | 0x20 == $1 | 0x20 }
    }
  }
}

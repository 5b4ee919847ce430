import CLqipGumbo
import LqipSystem

extension PageScan {
  /// Whether the parser is available; loads it.
  package static var hasParser: Bool { unsafe lqip_gumbo() != nil }

  /// Parses a page; `nil` if the parser is not available.
  package init?(parsing page: UnsafeRawBufferPointer) {
    self.init()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = unsafe page.bindMemory(to: UInt8.self)
    // The parser would take a byte order mark for text.
    let markCount = unsafe bytes.starts(with: mark) ? mark.count : 0
    guard let start = unsafe page.baseAddress.map({ unsafe $0 + markCount }) else { return }
    var arena = unsafe lqip_arena()
    defer { unsafe lqip_free_arena(&arena) }
    let text = unsafe start.assumingMemoryBound(to: CChar.self)
    guard let output = unsafe lqip_parse_page(text, page.count - markCount, &arena) else {
      return nil
    }
    guard let root = unsafe output.pointee.root.flatMap({ unsafe PageElement($0, in: page) })
    else { return }
    let hidden = visit(root).map { unsafe $0..<Self.noscriptEnd(from: $0, in: bytes) }
    if let base, base.count > Self.addressLimit { self = PageScan() }
    images.removeAll { image in
      unsafe !Self.isAfterTagName(image.position, in: bytes.span)
        || hidden.contains { $0.contains(image.position) }
    }
    // The parser moves misplaced elements to the front of their table.
    images.sort { $0.position < $1.position }
  }

  /// Returns the position of the next end tag of `<noscript>`.
  private static func noscriptEnd(
    from start: Int, in page: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let name = "</noscript"
    return page.indices[start...].first { index in
      unsafe page[index...].prefix(name.utf8.count).lazy.map { $0 | 0x20 }.elementsEqual(name.utf8)
    } ?? page.count
  }

  /// Finds the images in the tree, which can be deeper than the stack.
  ///
  /// - Returns: The positions of `<noscript>` tags that the parser closes early. With scripts, as in most browsers, all up
  ///   to the end tag is text.
  private mutating func visit(_ root: PageElement) -> [Int] {
    var hasLink = false
    var unclosed: [Int] = []
    var waiting = [(element: root, isAlternative: false)]
    while let (element, isAlternative) = waiting.popLast() {
      let children = element.tag == GUMBO_TAG_NOSCRIPT ? [] : element.children
      let hasAlternatives = children.contains {
        $0.tag == GUMBO_TAG_SOURCE && ($0["media"] != nil || $0.hasWidths)
      }
      switch element.tag {
      case GUMBO_TAG_IMG:
        if let image = Image(element, isAlternative: isAlternative) { images.append(image) }
      case GUMBO_TAG_BASE: base = base ?? element["href"]?.value
      case GUMBO_TAG_NOSCRIPT where element.endTag == nil:
        unclosed += [element.startTag?.lowerBound].compactMap(\.self)
      case GUMBO_TAG_LINK: hasLink = hasLink || element["href"]?.contains(Self.stylesheet) ?? false
      default: break
      }
      waiting += children.reversed().map { ($0, hasAlternatives) }
    }
    linkPosition = hasLink ? nil : Self.linkPosition(in: root.children)
    return unclosed
  }

  /// Returns the position before the first stylesheet, or at the end of the head.
  ///
  /// A link never precedes the encoding, which must be in the first 1,024 bytes of a page.
  private static func linkPosition(in children: [PageElement]) -> Int? {
    let body = children.first { $0.tag == GUMBO_TAG_BODY }
    guard let head = children.first(where: { $0.tag == GUMBO_TAG_HEAD }) else { return nil }
    var (first, last) = (Int?.none, head.startTag?.upperBound)
    for child in head.children {
      switch child.tag {
      case GUMBO_TAG_META: if child["charset"] != nil || child["http-equiv"] != nil { first = nil }
      case GUMBO_TAG_STYLE: first = first ?? child.startTag?.lowerBound
      case GUMBO_TAG_LINK where child.isStylesheet: first = first ?? child.startTag?.lowerBound
      default: break
      }
      if child.tag == GUMBO_TAG_NOSCRIPT, child.endTag == nil {
        return first ?? child.startTag?.lowerBound
      }
      let isVoid = [GUMBO_TAG_META, GUMBO_TAG_LINK, GUMBO_TAG_BASE].contains(child.tag)
      last = (isVoid ? child.startTag : child.endTag)?.upperBound ?? last
    }
    return first ?? head.endTag?.lowerBound ?? last ?? head.startTag?.upperBound
      ?? body?.startTag?.lowerBound ?? body?.contentStart
  }
}

extension PageScan.Image {
  /// The attributes of placeholders, which this program or a template has written.
  static let dataNames = [
    "data-lqip", "data-lqip-css", "data-blurhash", "data-thumbhash", "data-tiny", "data-preview",
  ]

  fileprivate init?(_ element: PageElement, isAlternative: Bool) {
    guard let position = element.imageNameEnd, let source = element["src"]?.value,
      1...PageScan.addressLimit ~= source.count
    else { return nil }
    self.position = position
    self.source = source
    width = Self.pixels(of: element["width"])
    height = Self.pixels(of: element["height"])
    let text = element["style"]
    style = text.map { Style(position: $0.position, isQuoted: $0.isQuoted) }
    hasPlaceholder =
      text.map { $0.contains("--lqip") || $0.contains("url(data:") } ?? false
      || Self.dataNames.contains { element[$0] != nil }
    hasMark = element[PageScan.mark] != nil
    isResponsive =
      isAlternative || element.hasWidths
      || text.map { HeightRules.setsOnlyHeight($0.value) } ?? false
  }

  /// Parses a width or height as browsers do.
  ///
  /// Source: HTML, rules for parsing dimension values.
  private static func pixels(of attribute: PageElement.Attribute?) -> UInt32? {
    attribute.map { attribute in
      let text = attribute.value.drop { $0 <= 0x20 }
      let digits = text.prefix { 0x30...0x39 ~= $0 }
      let isPercentage = text.contains(UInt8(ascii: "%"))
      return isPercentage ? 0 : UInt32(String(decoding: digits, as: UTF8.self)) ?? 0
    }
  }
}

/// What of an ICC profile is needed to turn an image's colors into sRGB, checked and put together anew.
///
/// lcms does not check a profile for consistency: it loads an element again for each tag that points to it,
/// so 800 bytes can take gigabytes. It is therefore given only this excerpt: at most eight tags, each of a
/// type whose work and memory are bounded here, or by lcms's own bound of 32,767 entries a curve. Tables for
/// other rendering intents than the perceptual one are left out, as are those from the connection space,
/// tables in floating point (`D2B0`), and everything that is not about color.
///
/// Source: ICC.1:2022, sections 7 to 10.
struct ProfileExcerpt {
  /// A whole profile: its header, and the tags that were kept.
  let bytes: [UInt8]

  private static let headerSize = 128
  private static let entrySize = 12
  private static let maximumTagCount = 100

  /// Checks a whole profile.
  ///
  /// Nil if it is not for images of gray, RGB or CMYK samples, or if a tag that is to be kept is damaged,
  /// larger than it needs to be, or shares some of its bytes with another one, but not all.
  init?(icc: Span<UInt8>) {
    guard
      Self.name(at: 36, in: icc) == "acsp",
      let deviceClass = Self.name(at: 12, in: icc),
      ["scnr", "mntr", "prtr", "spac"].contains(deviceClass),
      let space = Self.name(at: 16, in: icc), let channelCount = Self.channelCounts[space],
      let tags = Self.tags(of: icc)
    else { return nil }
    for tag in tags {
      guard tag.isBounded(in: icc, channelCount: channelCount) else { return nil }
      for other in tags where tag.place != other.place {
        guard !tag.place.overlaps(other.place) else { return nil }
      }
    }
    bytes = Self.joined(tags, of: icc)
  }

  private static let channelCounts = ["GRAY": 1, "RGB ": 3, "CMYK": 4]

  private static func name(at offset: Int, in icc: Span<UInt8>) -> String? {
    guard offset + 4 <= icc.count else { return nil }
    return String(decoding: (offset..<offset + 4).map { icc[$0] }, as: UTF8.self)
  }

  /// The tags to be kept, the first of each name; nil if one is said to lie outside.
  private static func tags(of icc: Span<UInt8>) -> [ProfileTag]? {
    guard
      let count = icc.integer(at: headerSize, size: 4), count <= maximumTagCount
    else { return nil }
    var tags: [ProfileTag] = []
    for index in 0..<Int(count) {
      let entry = headerSize + 4 + index * entrySize
      guard
        let name = name(at: entry, in: icc),
        let offset = icc.integer(at: entry + 4, size: 4),
        let size = icc.integer(at: entry + 8, size: 4)
      else { return nil }
      guard let kind = ProfileTag.Kind(tag: name), !tags.contains(where: { $0.name == name }) else {
        continue
      }
      guard Int(offset) + Int(size) <= icc.count else { return nil }
      tags.append(
        ProfileTag(name: name, kind: kind, place: Int(offset)..<Int(offset) + Int(size)))
    }
    return tags
  }

  /// A profile of these tags; those that share their bytes still do.
  private static func joined(_ tags: [ProfileTag], of icc: Span<UInt8>) -> [UInt8] {
    var table = number(tags.count)
    var elements: [UInt8] = []
    let start = headerSize + 4 + tags.count * entrySize
    for (index, tag) in tags.enumerated() {
      let shared = tags[..<index].firstIndex { $0.place == tag.place }
      let entries = table[...]
      let offset = shared.map { entries.span.integer(at: 8 + $0 * entrySize, size: 4) } ?? nil
      table += Array(tag.name.utf8) + number(offset.map(Int.init) ?? start + elements.count)
      table += number(tag.place.count)
      guard shared == nil else { continue }
      for index in tag.place { elements.append(icc[index]) }
      elements += Array(repeating: 0, count: -elements.count & 3)
    }
    let size = number(start + elements.count)
    return size + (4..<headerSize).map { icc[$0] } + table + elements
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

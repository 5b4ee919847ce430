/// A validated copy of an ICC profile, reduced to the tags that the conversion to sRGB needs.
///
/// lcms does not check a profile for consistency. It loads an element again for each tag that points to it, so a
/// profile of 800 bytes can take gigabytes of memory. Therefore, lcms parses only this excerpt of at most eight tags.
/// The time and memory for each tag are bounded here, or by lcms's limit of 32,767 entries per curve. The excerpt omits
/// tables for rendering intents other than the perceptual one, and tables that convert from the profile connection
/// space. It also omits floating-point tables (`D2B0`) and all tags that do not affect color.
///
/// Source: ICC.1:2022, sections 7 to 10.
struct ProfileExcerpt {
  /// The reduced profile: the header, and the tags that the conversion needs.
  let bytes: [UInt8]

  private static let headerSize = 128
  private static let entrySize = 12
  private static let maximumTagCount = 100

  /// Creates an excerpt; nil if the profile is invalid or its samples are not gray, RGB or CMYK.
  ///
  /// A profile is also invalid if a needed tag is too large or partly overlaps another one.
  init?(icc: Span<UInt8>) {
    guard
      icc.text(at: 36) == "acsp", let deviceClass = icc.text(at: 12),
      ["scnr", "mntr", "prtr", "spac"].contains(deviceClass),
      let space = icc.text(at: 16), let channelCount = Self.channelCounts[space],
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

  /// Returns the first tag of each needed name; nil if the tag table is invalid.
  private static func tags(of icc: Span<UInt8>) -> [ProfileTag]? {
    guard
      let count = icc.integer(at: headerSize, size: 4), count <= maximumTagCount
    else { return nil }
    var tags: [ProfileTag] = []
    for index in 0..<Int(count) {
      let entry = headerSize + 4 + index * entrySize
      guard
        let name = icc.text(at: entry), let offset = icc.integer(at: entry + 4, size: 4),
        let size = icc.integer(at: entry + 8, size: 4)
      else { return nil }
      guard ProfileTag.names.contains(name), !tags.contains(where: { $0.name == name }) else {
        continue
      }
      guard Int(offset) + Int(size) <= icc.count else { return nil }
      tags.append(ProfileTag(name: name, place: Int(offset)..<Int(offset) + Int(size)))
    }
    return tags
  }

  /// Joins tags into a profile, in which tags with the same byte range still share their bytes.
  private static func joined(_ tags: [ProfileTag], of icc: Span<UInt8>) -> [UInt8] {
    var table = number(tags.count)
    var elements: [UInt8] = []
    var offsets: [Int] = []
    let start = headerSize + 4 + tags.count * entrySize
    for (index, tag) in tags.enumerated() {
      let shared = tags[..<index].firstIndex { $0.place == tag.place }
      let offset = shared.map { offsets[$0] } ?? start + elements.count
      offsets.append(offset)
      table += Array(tag.name.utf8) + number(offset) + number(tag.place.count)
      guard shared == nil else { continue }
      unsafe icc.withUnsafeBufferPointer { unsafe elements += $0[tag.place] }
      elements += Array(repeating: 0, count: -elements.count & 3)
    }
    let size = number(start + elements.count)
    return size + (4..<headerSize).map { icc[$0] } + table + elements
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// Color profiles, embedded in fixtures or generated.
package enum ICCProfile {
  /// Extracts the profile of a JPEG fixture, which must be in one segment.
  package static func embedded(in name: String) throws -> [UInt8] {
    let bytes = try Fixtures.bytes(name)
    let signature = Array("ICC_PROFILE\0".utf8)
    var position = 2
    while bytes[position + 1] != 0xDA {
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let content = bytes[position + 4..<position + 2 + length]
      if bytes[position + 1] == 0xE2 && content.starts(with: signature) {
        return Array(content.dropFirst(signature.count + 2))
      }
      position += 2 + length
    }
    return []
  }

  /// Generates a printer or scanner profile whose last channel determines the lightness of a gray.
  ///
  /// Source: ICC.1:2001-04, sections 6.1 and 6.5.7 (lut8Type).
  ///
  /// - Parameters:
  ///   - space: The signature of the color space, such as `CMYK`.
  ///   - channelCount: The number of channels in the color space.
  ///   - lightness: L* at the values 0 and 255 of the last channel, scaled from 0...100 to 0...255.
  /// - Returns: The profile.
  package static func table(_ space: String, channelCount: Int, lightness: (UInt8, UInt8))
    -> [UInt8]
  {
    let identity = Array(UInt8.min...UInt8.max)
    var table = Array("mft1".utf8) + [0, 0, 0, 0, UInt8(channelCount), 3, 2, 0]
    for index in 0..<9 { table += number(index % 4 == 0 ? 0x1_0000 : 0) }
    for _ in 0..<channelCount { table += identity }
    for _ in 0..<1 << (channelCount - 1) {
      table += [lightness.0, 128, 128, lightness.1, 128, 128]
    }
    for _ in 0..<3 { table += identity }
    return file(space, tags: [("A2B0", table)])
  }

  /// Generates a profile with tags that share no bytes.
  ///
  /// Source: ICC.1:2001-04, section 6.1.
  package static func file(
    _ space: String, deviceClass: String? = nil, tags: [(name: String, element: [UInt8])]
  ) -> [UInt8] {
    let start = 132 + 12 * tags.count
    var table = number(tags.count)
    var elements: [UInt8] = []
    for (name, element) in tags {
      table += Array(name.utf8) + number(start + elements.count) + number(element.count)
      elements += element + Array(repeating: 0, count: -element.count & 3)
    }
    let deviceClass = deviceClass ?? (space == "CMYK" ? "prtr" : "scnr")
    let zeros = { (count: Int) in Array(repeating: UInt8(0), count: count) }
    return number(start + elements.count) + zeros(4) + number(0x0240_0000)
      + Array((deviceClass + space + "Lab ").utf8)
      + zeros(12) + Array("acsp".utf8) + zeros(28)
      + number(0xF6D6) + number(0x1_0000) + number(0xD32D) + zeros(48) + table + elements
  }

  /// Generates a `curveType` with entries, and with a wrong count if `count` is set.
  package static func curve(count: Int? = nil, _ entries: [UInt16]) -> [UInt8] {
    Array("curv".utf8) + number(0) + number(count ?? entries.count)
      + entries.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  /// Encodes a 32-bit big-endian integer.
  package static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

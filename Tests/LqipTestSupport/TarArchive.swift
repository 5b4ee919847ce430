import PlaceholdersTestSupport

/// A writer of valid and invalid tar archives.
///
/// Source: POSIX.1-2024, pax, "ustar Interchange Format" and "pax Extended Header".
package struct TarArchive {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - name: The file name, at most 100 bytes.
  ///   - content: The bytes after the header.
  ///   - type: The type flag; "0" is a regular file.
  ///   - size: The size in the header; nil for the actual size.
  ///   - magic: The magic string; empty for the format before ustar.
  ///   - target: The target of a link.
  package mutating func add(
    _ name: some Collection<UInt8>, _ content: [UInt8] = TemporaryDirectory.png,
    type: Character = "0", size: Int? = nil, magic: String = "ustar\u{0}00", target: String = ""
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: some Collection<UInt8>, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.count, with: text)
    }
    put(name, at: 0)
    put("0000644".utf8, at: 100)
    put(Self.octal(size ?? content.count, digits: 11), at: 124)
    put(Self.octal(1_700_000_000, digits: 11), at: 136)
    put(Array(repeating: UInt8(ascii: " "), count: 8), at: 148)
    put(String(type).utf8, at: 156)
    put(target.utf8, at: 157)
    put(magic.utf8, at: 257)
    put(Self.octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
    bytes += header + content + [UInt8](repeating: 0, count: -content.count & 511)
  }

  /// Appends a regular file.
  package mutating func add(_ name: String, _ content: [UInt8] = TemporaryDirectory.png) {
    add(name.utf8, content)
  }

  /// Appends a pax extended header for the next entry.
  package mutating func addExtension(_ records: (key: String, value: [UInt8])...) {
    let lines = records.map { key, value in
      let rest = Array(" \(key)=".utf8) + value + "\n".utf8
      let guess = rest.count + String(rest.count).utf8.count
      return Array(String(rest.count + String(guess).utf8.count).utf8) + rest
    }
    add("extension".utf8, lines.flatMap(\.self), type: "x")
  }

  /// The archive with its end-of-archive marker.
  package var closed: [UInt8] {
    bytes + [UInt8](repeating: 0, count: 1024)
  }

  private static func octal(_ number: Int, digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
  }
}

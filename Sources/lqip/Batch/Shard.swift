package import LqipFiles
package import LqipOptions

/// One of several parts of all files, told by their paths alone.
package struct Shard: Hashable, Sendable {
  /// Which part, from 1 on.
  package let index: Int
  package let count: Int

  /// Reads `I/N`; nil for anything else.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2, let index = Int(decimal: numbers[0]),
      let count = Int(decimal: numbers[1]),
      1...100_000 ~= count, 1...count ~= index
    else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether a path lies in this part.
  ///
  /// Source: the hash is FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
  package func contains(_ path: FilePath) -> Bool {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.normalized.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash % UInt64(count) == UInt64(index - 1)
  }
}

extension OptionValue<Shard> {
  /// A part of all files.
  package static var shard: Self {
    OptionValue(allowed: "a part and the number of parts, such as 1/8") {
      Shard($0.text)
    }
  }
}

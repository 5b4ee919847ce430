/// The optimal prefix code for the symbols of a JPEG file, which does not allow a code of all ones.
///
/// Source: Huffman, "A Method for the Construction of Minimum-Redundancy Codes" (1952); ITU-T T.81, annex C.
struct HuffmanCode {
  /// The maximum length of a code in a JPEG file.
  static let longestLength = 16

  /// The number of codes of each length, starting with length 1.
  let lengthCounts: [UInt8]

  /// The symbols, sorted by the lengths of their codes.
  let symbols: [UInt8]

  /// The code of each symbol, in the low bits, and its length; length 0 for a symbol without a code.
  let codes: [(bits: UInt16, length: UInt8)]

  /// Creates the code from the number of occurrences of each of 256 symbols.
  ///
  /// - Precondition: The sum is 1 to 4,179: with 4,180 occurrences, the optimal code may need 17 bits. An image of
  ///   32×32 pixels has at most 1,512 AC symbols.
  init(counts: [Int]) {
    // Each pair of count and symbol is packed into one integer, which is fast to sort.
    var leaves: [Int] = []
    for (symbol, count) in counts.enumerated() where count > 0 {
      leaves.append(count << 8 | symbol)
    }
    leaves.sort()
    let lengths = Self.lengths(weights: leaves.map { $0 >> 8 })
    let order = zip(leaves, lengths).map { $1 << 8 | $0 & 255 }.sorted()
    var lengthCounts = [UInt8](repeating: 0, count: Self.longestLength)
    var codes = Array(repeating: (bits: UInt16.zero, length: UInt8.zero), count: counts.count)
    var (code, length) = (0, 0)
    for pair in order {
      code <<= (pair >> 8) - length
      length = pair >> 8
      precondition(length <= Self.longestLength, "code too long for a JPEG file")
      codes[pair & 255] = (UInt16(code), UInt8(length))
      lengthCounts[length - 1] += 1
      code += 1
    }
    self.lengthCounts = lengthCounts
    self.codes = codes
    symbols = order.map { UInt8($0 & 255) }
  }

  /// Returns the code lengths of symbols with ascending weights.
  ///
  /// An additional symbol of weight zero reserves the code of all ones, which is the last of the longest codes.
  private static func lengths(weights: [Int]) -> [Int] {
    // The nodes of the tree in ascending weight: the additional symbol, the leaves, and then the joined nodes.
    let leafCount = weights.count + 1
    var nodes = [0] + weights
    var parents = [Int](repeating: 0, count: 2 * leafCount - 1)
    var (leaf, joined) = (0, leafCount)
    for node in leafCount..<parents.count {
      var sum = 0
      for _ in 0..<2 {
        let isLeaf = leaf < leafCount && (joined == node || nodes[leaf] <= nodes[joined])
        let least = isLeaf ? leaf : joined
        if isLeaf { leaf += 1 } else { joined += 1 }
        parents[least] = node
        sum += nodes[least]
      }
      nodes.append(sum)
    }
    var depths = [Int](repeating: 0, count: parents.count)
    for node in (0..<parents.count - 1).reversed() { depths[node] = depths[parents[node]] + 1 }
    return Array(depths[1..<leafCount])
  }
}

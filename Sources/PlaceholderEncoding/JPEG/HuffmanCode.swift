/// The prefix code that takes the fewest bits for some symbols, and whose codes a JPEG file may have: none is all
/// ones.
///
/// Source: Huffman, "A Method for the Construction of Minimum-Redundancy Codes" (1952); ITU-T T.81, annex C.
struct HuffmanCode {
  /// The longest code that a file may have.
  static let longestLength = 16

  /// How many codes there are of each length from 1 on.
  let lengthCounts: [UInt8]

  /// The symbols, by the lengths of their codes.
  let symbols: [UInt8]

  /// The code of each symbol that has one, in its low bits, and how many they are.
  let codes: [(bits: UInt16, length: UInt8)]

  /// Takes how often each of 256 symbols occurs.
  ///
  /// - Precondition: One occurs, and all together no more than 4,179 times: with one more, the best code may
  ///   need 17 bits. An image of 32×32 pixels has at most 1,512 AC symbols.
  init(counts: [Int]) {
    // Pairs in one number each, which are quick to sort.
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

  /// The lengths of the codes of some symbols with rising weights.
  ///
  /// One more without weight is among them, whose code is the last of the longest ones: all ones.
  private static func lengths(weights: [Int]) -> [Int] {
    // The nodes of the tree by rising weight: that one, the leaves, and then what is joined of two nodes each.
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

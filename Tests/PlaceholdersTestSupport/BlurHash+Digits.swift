package import PlaceholderEncoding

extension BlurHash {
  /// All quantized values: the maximum, the channels of the average, and the channels of each AC term.
  package var digits: [Int] {
    [quantizedMaximum, dc >> 16, dc >> 8 & 255, dc & 255]
      + ac.flatMap { [$0 / 361, $0 / 19 % 19, $0 % 19] }
  }

  /// The absolute differences between the quantized values of two hashes.
  package func differences(from other: BlurHash) -> [Int] {
    zip(digits, other.digits).map { abs($0 - $1) }
  }
}

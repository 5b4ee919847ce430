extension PackedLQIP: CustomStringConvertible {
  /// Reads `#` and 8 hexadecimal digits of either case.
  ///
  /// - Throws: ``PackedLQIPError`` for any other text.
  public init(_ string: String) throws(PackedLQIPError) {
    guard string.utf8.count == 9 else { throw .wrongLength(string.utf8.count) }
    guard let digits = hexDigits(of: string) else { throw .notHexadecimal }
    self.init(rawValue: digits.reduce(0) { $0 << 4 | UInt32($1) })
  }

  /// `#` and 8 lowercase hexadecimal digits: a color as far as CSS knows, with alpha as its last byte.
  public var string: String { hexString(rawValue, digitCount: 8) }

  /// The text.
  public var description: String { string }
}

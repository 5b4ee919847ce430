extension Int {
  /// Reads digits and nothing else: Swift would also take a sign.
  package init?(decimal digits: some StringProtocol) {
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    self.init(digits)
  }
}

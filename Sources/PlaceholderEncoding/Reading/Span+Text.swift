extension Span<UInt8> {
  /// Whether a text in ASCII stands at an offset.
  func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset <= count - size else { return false }
    return text.withUTF8Buffer { text in
      text.indices.allSatisfy { unsafe self[offset + $0] == text[$0] }
    }
  }
}

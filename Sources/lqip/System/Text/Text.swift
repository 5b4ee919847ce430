// Text functions in place of the standard library's. Its search would link the regular expression engine, a tenth of the
// program's size, and the first call of its `joined` takes a quarter of the instructions of `lqip --version`.

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns the range of the first occurrence of `pattern`, or `nil` if there is none.
  package func firstRange(of pattern: [UInt8]) -> Range<Int>? {
    let starts = startIndex..<Swift.max(startIndex, endIndex - pattern.count + 1)
    return starts.first { self[$0...].starts(with: pattern) }.map { $0..<($0 + pattern.count) }
  }

  /// Returns the parts between the occurrences of `separator`, including empty parts.
  package func parts(separatedBy separator: [UInt8]) -> [SubSequence] {
    var rest = self[...]
    var parts: [SubSequence] = []
    while let range = rest.firstRange(of: separator) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }

  /// Decodes the percent escapes of bytes for which `isDecoded` returns `true`; other bytes stay as they are.
  package func percentDecoded(where isDecoded: (UInt8) -> Bool = { _ in true }) -> [UInt8] {
    var (rest, bytes) = (Array(self)[...], [UInt8]())
    while let byte = rest.popFirst() {
      bytes.append(byte)
      guard byte == UInt8(ascii: "%") else { continue }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { continue }
      let code = UInt8(digits[0] << 4 | digits[1])
      if isDecoded(code) {
        bytes[bytes.count - 1] = code
        rest.removeFirst(2)
      }
    }
    return bytes
  }
}

extension String {
  /// Returns whether this string contains `text`.
  package func includes(_ text: String) -> Bool {
    Array(utf8).firstRange(of: Array(text.utf8)) != nil
  }

  /// Returns the parts between the occurrences of `separator`, including empty parts.
  package func parts(separatedBy separator: String) -> [String] {
    Array(utf8).parts(separatedBy: Array(separator.utf8)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns this string with every occurrence of `text` replaced.
  package func replacing(_ text: String, with replacement: String) -> String {
    parts(separatedBy: text).joined(separator: replacement)
  }
}

extension [String] {
  /// Returns the concatenation of the strings, with `separator` between them.
  package func joined(separator: String) -> String {
    var text = first ?? ""
    for string in dropFirst() {
      text += separator
      text += string
    }
    return text
  }
}

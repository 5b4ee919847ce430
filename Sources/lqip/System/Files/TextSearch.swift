// Text search without the standard library's functions. Those would link its regular expression engine, which would
// make up a tenth of the program's size.

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns the range of the first occurrence of `pattern`, or `nil` if there is none.
  package func firstRange(of pattern: [UInt8]) -> Range<Int>? {
    let starts = startIndex..<Swift.max(startIndex, endIndex - pattern.count + 1)
    return starts.first { self[$0...].starts(with: pattern) }.map { $0..<($0 + pattern.count) }
  }
}

extension String {
  /// Returns whether this string contains `text`.
  package func includes(_ text: String) -> Bool {
    Array(utf8).firstRange(of: Array(text.utf8)) != nil
  }

  /// Returns the parts between the occurrences of `separator`, including empty parts.
  package func parts(separatedBy separator: String) -> [String] {
    var rest = Array(utf8)[...]
    var parts: [String] = []
    while let range = rest.firstRange(of: Array(separator.utf8)) {
      parts.append(String(decoding: rest[..<range.lowerBound], as: UTF8.self))
      rest = rest[range.upperBound...]
    }
    return parts + [String(decoding: rest, as: UTF8.self)]
  }

  /// Returns this string with every occurrence of `text` replaced.
  package func replacing(_ text: String, with replacement: String) -> String {
    parts(separatedBy: text).joined(separator: replacement)
  }
}

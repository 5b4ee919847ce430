import LqipSystem

/// A parser of `multipart/form-data` bodies.
///
/// Files are ranges of the body, so only their names are copied. Parsing takes linear time for any body.
///
/// Source: RFC 7578; RFC 2046, section 5.1.1.
struct MultipartForm {
  struct File: Hashable, Sendable {
    let name: FilePath
    /// The range of the content in the body; `nil` if the header section of the part is too long.
    let range: Range<Int>?
  }

  /// The maximum length of a boundary in bytes; RFC 2046 allows 70.
  private static let maximumBoundaryLength = 256
  private static let maximumFileCount = 100
  /// The maximum size of a part's header section in bytes.
  static let maximumHeadByteCount = 8 << 10
  /// The maximum number of parts that are not files.
  private static let maximumFieldCount = 1000
  private static let emptyLine = Array("\r\n\r\n".utf8)

  /// The delimiter of the parts, including the CR LF before it.
  private let delimiter: [UInt8]

  /// Creates a parser for a content type; `nil` if the type is not `multipart/form-data`.
  ///
  /// - Throws: A problem if the boundary is missing or invalid.
  init?(contentType: String?) throws(Problem) {
    guard let contentType else { return nil }
    let type = ParameterizedValue(Array(contentType.utf8))
    guard type.name == "multipart/form-data" else { return nil }
    let boundaries = type["boundary"]
    guard boundaries.count == 1, (1...Self.maximumBoundaryLength).contains(boundaries[0].count),
      boundaries[0].allSatisfy({ (0x20...0x7E).contains($0) }), boundaries[0].last != 0x20
    else { throw .malformed("multipart/form-data requires exactly one valid 'boundary' parameter") }
    delimiter = Array("\r\n--".utf8) + boundaries[0]
  }

  /// Returns the files in a body, in order; other fields are ignored.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the body.
  func files(in body: Span<UInt8>) throws(Problem) -> [File] {
    var files: [File] = []
    var fieldCount = 0
    guard var part = delimiterLine(in: body, from: 0) else { throw Self.incomplete }
    while !part.isLast {
      // The header section may be empty, so the search begins at the end of the delimiter line.
      guard let headEnd = body.offset(of: Self.emptyLine, from: part.end - 2) else {
        throw Self.incomplete
      }
      let start = headEnd + Self.emptyLine.count
      guard let next = delimiterLine(in: body, from: start) else { throw Self.incomplete }
      let head = part.end..<max(part.end, headEnd)
      if start - part.end > Self.maximumHeadByteCount {
        files.append(File(name: FilePath([]), range: nil))
      } else if let name = try Self.fileName(in: head.map { body[$0] }) {
        files.append(File(name: name, range: start..<next.start))
      } else {
        fieldCount += 1
      }
      guard files.count <= Self.maximumFileCount, fieldCount <= Self.maximumFieldCount else {
        throw Problem(
          status: 413, code: "too_large",
          detail: "the form has more than \(Self.maximumFileCount) files or "
            + "\(Self.maximumFieldCount) fields")
      }
      part = next
    }
    return files
  }

  /// Returns the first line between two parts, or after the last part, at or after an offset.
  ///
  /// Source: RFC 2046, section 5.1.1.
  private func delimiterLine(
    in body: Span<UInt8>, from position: Int
  ) -> (start: Int, end: Int, isLast: Bool)? {
    // The first delimiter may be at the start of the body, without a CR LF.
    let isAtStart = position == 0 && body.hasBytes(delimiter[2...], at: 0)
    var found = isAtStart ? -2 : body.offset(of: delimiter, from: position)
    while let start = found {
      var end = start + delimiter.count
      let isLast = body.hasBytes("--".utf8, at: end)
      if isLast { end += 2 }
      while end < body.count, ParameterizedValue.isBlank(body[end]) { end += 1 }
      let hasLineEnd = body.hasBytes("\r\n".utf8, at: end)
      if hasLineEnd || isLast && end == body.count {
        return (max(0, start), hasLineEnd ? end + 2 : end, isLast)
      }
      found = body.offset(of: delimiter, from: end)
    }
    return nil
  }

  /// Returns the decoded file name in the header section of a part; `nil` if the part is not a file.
  ///
  /// `filename*` takes precedence over `filename`.
  private static func fileName(in head: [UInt8]) throws(Problem) -> FilePath? {
    let name = "content-disposition:"
    let fields = head.parts(separatedBy: Array("\r\n".utf8)).filter {
      String(decoding: $0.prefix(name.utf8.count), as: UTF8.self).lowercased() == name
    }
    guard fields.count < 2 else {
      throw .malformed("a form part has more than one Content-Disposition field")
    }
    guard let field = fields.first else { return nil }
    let disposition = ParameterizedValue(Array(field.dropFirst(name.utf8.count)))
    let encoded = disposition["filename*"].lazy.compactMap(extendedValue).first
    let plain = disposition["filename"].first.map { name in
      // Browsers escape only these three characters: WHATWG HTML, section 4.10.21.8.
      name.percentDecoded { [0x0A, 0x0D, UInt8(ascii: "\"")].contains($0) }
    }
    return (encoded ?? plain).map { FilePath($0) }
  }

  /// Decodes an extended value such as `UTF-8''a%20b`; `nil` if it is malformed or not UTF-8.
  ///
  /// Source: RFC 8187, section 3.2.
  private static func extendedValue(_ value: [UInt8]) -> [UInt8]? {
    let parts = value.split(
      separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, String(decoding: parts[0], as: UTF8.self).lowercased() == "utf-8"
    else { return nil }
    return parts[2].percentDecoded()
  }

  private static let incomplete = Problem.malformed("the multipart/form-data body is incomplete")
}

extension Span<UInt8> {
  fileprivate func hasBytes(_ pattern: some Collection<UInt8>, at offset: Int) -> Bool {
    offset + pattern.count <= count && pattern.enumerated().allSatisfy { self[offset + $0] == $1 }
  }

  /// Returns the first offset, at or after `start`, of a pattern that begins with CR, or `nil` if there is none.
  ///
  /// If the pattern has no other CR, partial matches do not overlap, so the search takes linear time.
  fileprivate func offset(of pattern: [UInt8], from start: Int) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var offset = start
      while offset < count, let found = unsafe memchr(base + offset, 0x0D, count - offset) {
        offset = unsafe UnsafeRawPointer(found) - base
        if hasBytes(pattern, at: offset) { return offset }
        offset += 1
      }
      return nil
    }
  }
}

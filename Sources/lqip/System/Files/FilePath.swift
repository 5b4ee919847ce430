/// A file path: bytes in an unspecified encoding.
package struct FilePath: Hashable, Sendable {
  package static let separator = UInt8(ascii: "/")

  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Creates a path from a copy of a C string.
  package init(cString: UnsafePointer<CChar>) {
    let count = unsafe strlen(cString)
    self.init(unsafe Array(UnsafeRawBufferPointer(start: cString, count: count)))
  }

  /// The path up to and including the last slash; empty for a bare name.
  package var directory: FilePath {
    FilePath(Array(bytes[..<nameStart]))
  }

  /// The part after the last slash; the complete path if there is no slash.
  package var name: ArraySlice<UInt8> {
    bytes[nameStart...]
  }

  /// Returns whether the name ends with a dot and one of the extensions, which must be in lower case.
  package func hasExtension(in extensions: [String]) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    // In ASCII, the bit 0x20 makes a letter lowercase, and leaves a digit unchanged.
    return extensions.contains { $0.utf8.elementsEqual(name[(dot + 1)...]) { $0 == $1 | 0x20 } }
  }

  private var nameStart: Int {
    bytes.lastIndex(of: Self.separator).map { $0 + 1 } ?? 0
  }

  /// Returns the target of a symbolic link (`readlinkat`).
  package func linkTarget() throws(SystemError) -> FilePath {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try unsafe withSystemName { directory, name throws(SystemError) in
      try SystemError.check { unsafe readlinkat(directory, name, &target, target.count) }
    }
    return FilePath(target.prefix(count).map(UInt8.init(bitPattern:)))
  }

  /// Appends bytes without adding a slash.
  package static func + (path: FilePath, suffix: some Sequence<UInt8>) -> FilePath {
    FilePath(path.bytes + suffix)
  }

  /// Appends bytes without adding a slash.
  package static func + (path: FilePath, suffix: [UInt8]) -> FilePath {
    FilePath(path.bytes + suffix)
  }

  /// Calls `body` with a directory descriptor and the path relative to that directory, as C functions such as `openat`
  /// expect.
  ///
  /// A path of `PATH_MAX` bytes or more is resolved in steps, one directory prefix at a time. A shorter path is passed
  /// unchanged, with `directory`.
  package func withSystemName<Result>(
    from directory: Int32 = AT_FDCWD,
    _ body: (_ directory: Int32, _ name: UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard bytes.count >= Int(PATH_MAX),
      let end = bytes.prefix(Int(PATH_MAX) - 1).lastIndex(of: Self.separator), end > 0
    else {
      return try unsafe withCString { name throws(SystemError) in
        try unsafe body(directory, name)
      }
    }
    let beginning = FilePath(Array(bytes[..<end]))
    let rest = FilePath(Array(bytes[end...].drop { $0 == Self.separator }))
    let next = try FileDescriptor(opening: beginning, O_RDONLY | O_DIRECTORY, from: directory)
    return try unsafe rest.withSystemName(from: next.number, body)
  }

  /// Calls `body` with the path as a C string.
  ///
  /// A path with a zero byte causes `SystemError.invalidArgument`, because C would truncate it to another path.
  package func withCString<Result>(
    _ body: (UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard !bytes.contains(0) else { throw .invalidArgument }
    return try unsafe (bytes + [0]).withUnsafeBufferPointer {
      buffer throws(SystemError) in
      guard let start = buffer.baseAddress else { throw .invalidArgument }
      return try unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count, body)
    }
  }
}

extension FilePath: CustomStringConvertible {
  /// The path for display: invalid UTF-8 becomes U+FFFD; control characters and line separators become `?`.
  package var description: String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      // Line separators and bidirectional controls could also forge terminal output.
      let isHarmless =
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isBidiControl
        }
      text.unicodeScalars.append(isHarmless ? scalar : "?")
    }
    return text
  }
}

extension FilePath {
  /// Returns whether this path sorts before another in bytewise order.
  package func precedes(_ other: FilePath) -> Bool { order(to: other) < 0 }

  /// Returns a negative number if this path sorts before another in bytewise order, zero if both are equal, and a positive
  /// number otherwise.
  package func order(to other: FilePath) -> Int {
    let order = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe other.bytes.withUnsafeBufferPointer { other in
        guard let start = bytes.baseAddress, let otherStart = other.baseAddress else {
          return Int32(0)
        }
        return unsafe memcmp(start, otherStart, min(bytes.count, other.count))
      }
    }
    return order == 0 ? bytes.count - other.bytes.count : Int(order)
  }

  /// Creates a directory at this path unless one exists (`mkdir`).
  package func makeDirectory() throws(SystemError) {
    do throws(SystemError) {
      _ = try unsafe withSystemName { directory, name throws(SystemError) in
        try SystemError.check { unsafe mkdirat(directory, name, 0o777) }
      }
    } catch {
      guard (try? FileStatus(of: self, followsLinks: true))?.kind == .directory else { throw error }
    }
  }
}

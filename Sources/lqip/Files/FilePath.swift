/// The name of a file as the system knows it: bytes in no particular encoding.
package struct FilePath: Hashable, Sendable {
  package static let separator = UInt8(ascii: "/")

  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Copies a string of the C library.
  package init(cString: UnsafePointer<CChar>) {
    let count = unsafe strlen(cString)
    self.init(unsafe Array(UnsafeRawBufferPointer(start: cString, count: count)))
  }

  /// The directory this path lies in, with a slash at its end; empty for a bare name.
  package var directory: FilePath {
    FilePath(Array(bytes[..<nameStart]))
  }

  /// The part after the last slash.
  package var name: ArraySlice<UInt8> {
    bytes[nameStart...]
  }

  private var nameStart: Int {
    bytes.lastIndex(of: Self.separator).map { $0 + 1 } ?? 0
  }

  /// Joins bytes to the end, without adding a slash.
  package static func + (path: FilePath, suffix: some Sequence<UInt8>) -> FilePath {
    FilePath(path.bytes + suffix)
  }

  /// Calls a function of the C library with an open directory and the path from there.
  ///
  /// The directory is the current one, except for a path too long for the system to take at once.
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

  /// Calls a function of the C library with the path.
  ///
  /// A path that contains a zero byte would name another file there, so it is refused.
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
  /// The path for people: bytes that are not UTF-8 are replaced, control characters shown as `?`.
  package var description: String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      text.unicodeScalars.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    return text
  }
}

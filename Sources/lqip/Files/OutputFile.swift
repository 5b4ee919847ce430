/// Where results go: standard output, or a file that appears whole or not at all.
///
/// A file is written under a hidden name beside its destination and takes the destination's name
/// in `commit()`; until then, and after any failure, what was there before is untouched. Devices
/// and pipes have no "before", so they are written directly.
package struct OutputFile: ~Copyable {
  /// A file that is to take the name of another.
  private struct Draft {
    let path: FilePath
    let destination: FilePath
  }

  /// How much of a file is held before it is written.
  private static let bufferSize = 1 << 16

  private let name: String
  private let descriptor: FileDescriptor
  private var draft: Draft?
  private var buffer: [UInt8] = []

  /// Opens the destination for writing.
  ///
  /// - Parameters:
  ///   - path: The destination; nil or `-` is standard output.
  ///   - draftPath: The name until `commit()`, for a caller that is the only one to use it; nil for
  ///     one by chance.
  /// - Throws: That the destination cannot be written, and why.
  package init(_ path: FilePath?, draft draftPath: FilePath? = nil) throws(CommandError) {
    let path = path == Self.standardOutput ? nil : path
    name = path?.description ?? "standard output"
    draft = try Self.destination(of: path).map { destination in
      Draft(path: draftPath ?? Self.draftPath(beside: destination), destination: destination)
    }
    if draftPath != nil, let draft { Self.remove(draft.path) }
    do {
      descriptor = try Self.open(path, draft)
    } catch {
      throw Self.failure(error, writing: name)
    }
  }

  private static func open(
    _ path: FilePath?, _ draft: Draft?
  ) throws(SystemError) -> FileDescriptor {
    guard let path else { return try FileDescriptor(duplicating: STDOUT_FILENO) }
    guard let draft else { return try FileDescriptor(opening: path, O_WRONLY) }
    let descriptor = try FileDescriptor(opening: draft.path, O_WRONLY | O_CREAT | O_EXCL)
    if let old = try existing(path) { fchmod(descriptor.number, old.permissions) }
    return descriptor
  }

  /// The file that will be replaced or made; nil if the output goes somewhere else at once.
  package static func destination(of path: FilePath?) throws(CommandError) -> FilePath? {
    guard let path, path != standardOutput else { return nil }
    do {
      let kind = try existing(path)?.kind
      return kind ?? .regular == .regular ? resolved(path) : nil
    } catch {
      throw failure(error, writing: "\(path)")
    }
  }

  private static let standardOutput = FilePath("-")

  deinit {
    guard let draft else { return }
    Self.remove(draft.path)
  }

  private static func remove(_ path: FilePath) {
    _ = try? unsafe path.withCString { unsafe unlink($0) }
  }

  /// Whether people see the output as it is written.
  package var isTerminal: Bool {
    isatty(descriptor.number) == 1
  }

  /// Appends bytes to the output.
  package mutating func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer += bytes
    // Somebody may be waiting for what goes out directly.
    if draft == nil || buffer.count >= Self.bufferSize { try flush() }
  }

  private mutating func flush() throws(CommandError) {
    do {
      try FileDescriptor.writeAll(buffer, to: descriptor.number)
    } catch {
      throw Self.failure(error, writing: name)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Makes everything written so far the content of the destination, durably.
  package consuming func commit() throws(CommandError) {
    try flush()
    guard let draft else { return }
    do {
      _ = try SystemError.check { fsync(descriptor.number) }
      try unsafe draft.path.withCString { old throws(SystemError) in
        try unsafe draft.destination.withCString { new throws(SystemError) in
          _ = try SystemError.check { unsafe rename(old, new) }
        }
      }
    } catch {
      throw Self.failure(error, writing: name)
    }
    self.draft = nil
  }

  private static func failure(_ error: SystemError, writing name: String) -> CommandError {
    error == .brokenPipe ? .outputClosed : .failed("cannot write \(name): \(error)")
  }

  /// What is there now; nil when nothing is.
  private static func existing(_ path: FilePath) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(of: path, followsLinks: true)
    } catch {
      guard error == .notFound else { throw error }
      return nil
    }
  }

  /// The file that a symbolic link leads to, so that the link stays and its target is replaced.
  private static func resolved(_ path: FilePath) -> FilePath {
    guard (try? FileStatus(of: path, followsLinks: false))?.kind == .symbolicLink else {
      return path
    }
    let target = try? unsafe path.withCString { name -> FilePath in
      guard let target = unsafe realpath(name, nil) else { return path }
      defer { unsafe free(target) }
      return unsafe FilePath(cString: target)
    }
    return target ?? path
  }

  private static func draftPath(beside path: FilePath) -> FilePath {
    let tag = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return path.directory + ".lqip-\(tag).tmp".utf8
  }
}

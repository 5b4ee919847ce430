/// Where results go: standard output, or a file that appears whole or not at all.
///
/// A file is written under a hidden name beside its destination and takes the destination's name
/// in `commit()`; until then, and after any failure, what was there before is untouched. It stays
/// untouched too where the same bytes come again. Devices and pipes have no "before", so they are
/// written directly.
package struct OutputFile: ~Copyable {
  /// How much of a file is held before it is written.
  private static let bufferSize = 1 << 16

  private let name: String
  private let descriptor: FileDescriptor
  /// The file that is to take the destination's name.
  package private(set) var draft: FilePath?
  private let destination: FilePath?
  /// What is there already, and how much of it has come again; nil once something else came.
  private var old: FileDescriptor?
  private var matchedCount = 0
  private var buffer: [UInt8] = []

  /// Opens the destination for writing.
  ///
  /// - Parameters:
  ///   - destination: Where to write.
  ///   - draftPath: The name until `commit()`, for a caller that is the only one to use it; nil for
  ///     one that no other run uses at the time.
  /// - Throws: That the destination cannot be written, and why.
  package init(_ destination: OutputDestination, draft draftPath: FilePath? = nil)
    throws(CommandError)
  {
    name = destination.description
    do throws(SystemError) {
      switch destination {
      case .descriptor(let number):
        descriptor = try FileDescriptor(duplicating: number)
        self.destination = nil
      case .device(let path):
        descriptor = try FileDescriptor(opening: path, O_WRONLY)
        self.destination = nil
      case .file(let path, let before):
        let draft: FilePath
        if let draftPath {
          draft = draftPath
          Self.remove(draft)
          descriptor = try Self.create(draft, like: before)
        } else if let claimed = Self.claim(Self.path(of: "tmp", beside: path), like: before) {
          draft = Self.path(of: "tmp", beside: path)
          descriptor = claimed
        } else {
          draft = Self.randomPath(beside: path)
          descriptor = try Self.create(draft, like: before)
        }
        self.destination = path
        self.draft = draft
        old = before == nil ? nil : try? FileDescriptor(opening: path, O_RDONLY)
      }
    } catch {
      throw .writing(name, over: destination.before, error)
    }
  }

  /// Makes a file of the same owner and group as the one it is to replace, as far as the system allows.
  ///
  /// Until the group is right, nobody but the owner can read it.
  package static func create(
    _ path: FilePath, like before: FileStatus?, _ flags: Int32 = O_WRONLY | O_CREAT | O_EXCL
  ) throws(SystemError) -> FileDescriptor {
    guard let before else { return try FileDescriptor(opening: path, flags) }
    let descriptor = try FileDescriptor(
      opening: path, flags, permissions: before.permissions & 0o700)
    fchown(descriptor.number, .max, before.group)
    fchmod(descriptor.number, before.permissions)
    // Whoever has given a file away may not change its permissions any more.
    fchown(descriptor.number, before.owner, .max)
    return descriptor
  }

  deinit {
    if let draft { Self.remove(draft) }
  }

  package static func remove(_ path: FilePath) {
    _ = try? unsafe path.withCString { unsafe unlink($0) }
  }

  /// Whether people see the output as it is written.
  package var isTerminal: Bool {
    isatty(descriptor.number) == 1
  }

  /// How many bytes have been written, where they go to a file.
  package private(set) var byteCount = 0

  /// Appends bytes to the output.
  package mutating func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer += bytes
    byteCount += bytes.count
    // A reader may be waiting for what is written directly.
    if draft == nil || buffer.count >= Self.bufferSize { try flush() }
  }

  private mutating func flush() throws(CommandError) {
    do throws(SystemError) {
      if try !matchesOld() { try FileDescriptor.writeAll(buffer, to: descriptor.number) }
    } catch {
      throw .writing(name, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Whether what is to be written is there already, as all that came before it is.
  private mutating func matchesOld() throws(SystemError) -> Bool {
    guard let number = old?.number else { return false }
    var there: [UInt8] = []
    while there.count < buffer.count {
      let rest = try FileDescriptor.read(
        number, at: matchedCount + there.count, upTo: buffer.count - there.count)
      if rest.isEmpty { break }
      there += rest
    }
    if there == buffer {
      matchedCount += buffer.count
      return true
    }
    try Self.copy(0..<matchedCount, of: number, to: descriptor.number)
    old = nil
    return false
  }

  /// Makes everything written so far the content of the destination, durably.
  ///
  /// - Parameter removed: Parts to leave out, in their order.
  /// - Throws: That the destination cannot be written, and why.
  package consuming func commit(removing removed: [Range<Int>] = []) throws(CommandError) {
    try flush()
    guard let draft, let destination else { return }
    do throws(SystemError) {
      if let old = old?.number, removed.isEmpty, try isUntouched(old, destination) { return }
      if let old = old?.number {
        try Self.copy(0..<matchedCount, of: old, to: descriptor.number)
      }
      if removed.isEmpty {
        try Self.replace(destination, by: draft, descriptor.number)
      } else {
        try replace(destination, leavingOut: removed)
      }
    } catch {
      throw .writing(name, error)
    }
    self.draft = nil
  }

  /// Whether the destination still is the file that was compared, to its end.
  private func isUntouched(
    _ old: Int32, _ destination: FilePath
  ) throws(SystemError) -> Bool {
    let status = try FileStatus(of: old)
    let now = try? FileStatus(of: destination, followsLinks: false)
    return status.byteCount == matchedCount && now?.identity == status.identity
  }

  private func replace(
    _ destination: FilePath, leavingOut removed: [Range<Int>]
  ) throws(SystemError) {
    guard let draft else { return }
    let source = try FileDescriptor(opening: draft, O_RDONLY)
    Self.remove(draft)
    let before = try FileStatus(of: source.number)
    let result = try Self.create(draft, like: before)
    var position = 0
    for part in removed + [byteCount..<byteCount] {
      try Self.copy(position..<part.lowerBound, of: source.number, to: result.number)
      position = part.upperBound
    }
    try Self.replace(destination, by: draft, result.number)
  }

  /// Gives a file the name of another, and sees to it that both survive a loss of power.
  private static func replace(
    _ destination: FilePath, by draft: FilePath, _ descriptor: Int32
  ) throws(SystemError) {
    _ = try SystemError.check { fsync(descriptor) }
    try unsafe draft.withCString { old throws(SystemError) in
      try unsafe destination.withCString { new throws(SystemError) in
        _ = try SystemError.check { unsafe rename(old, new) }
      }
    }
    let directory = destination.directory
    let path = directory.bytes.isEmpty ? FilePath(".") : directory
    // A directory that cannot be opened, or a file system without this, keeps the name all the same.
    if let directory = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY) {
      fsync(directory.number)
    }
  }

  private static func copy(
    _ bounds: Range<Int>, of source: Int32, to target: Int32
  ) throws(SystemError) {
    var position = bounds.lowerBound
    while position < bounds.upperBound {
      let length = min(1 << 20, bounds.upperBound - position)
      let bytes = try FileDescriptor.read(source, at: position, upTo: length)
      guard !bytes.isEmpty else { throw .inputOutput }
      try FileDescriptor.writeAll(bytes, to: target)
      position += bytes.count
    }
  }

  /// The hidden name of something that belongs to a file.
  package static func path(of purpose: String, beside file: FilePath) -> FilePath {
    FilePath(file.directory.bytes + ".".utf8 + file.name + ".\(purpose)".utf8)
  }

  /// Takes a name for a draft, together with what a killed run has left under it.
  ///
  /// Whoever holds the lock of the file has the name. The run before may have given it away between
  /// the two calls, hence the second look.
  ///
  /// - Returns: The empty file; nil if another run is at it, or if that cannot be told.
  private static func claim(_ path: FilePath, like before: FileStatus?) -> FileDescriptor? {
    while true {
      do throws(SystemError) {
        let descriptor = try create(
          path, like: before, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        _ = try SystemError.check { flock(descriptor.number, LOCK_EX | LOCK_NB) }
        let status = try FileStatus(of: descriptor.number)
        guard status.kind == .regular else { return nil }
        guard (try? FileStatus(of: path, followsLinks: false))?.identity == status.identity else {
          continue
        }
        _ = try SystemError.check { ftruncate(descriptor.number, 0) }
        return descriptor
      } catch {
        return nil
      }
    }
  }

  private static func randomPath(beside path: FilePath) -> FilePath {
    let tag = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return path.directory + ".lqip-\(tag).tmp".utf8
  }
}

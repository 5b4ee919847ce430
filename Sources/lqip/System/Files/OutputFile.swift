/// An output: a file that is replaced atomically, a device, or a descriptor.
///
/// New content is written to a draft, `.FILE.part` in the same directory, which `commit()` renames to `FILE`. A lock on
/// the draft prevents two runs from writing the same output. `FILE` does not change before `commit()`, after a failure,
/// or if the new content is identical. Devices and descriptors are written to directly.
package struct OutputFile: ~Copyable {
  /// The size in bytes at which the buffer is written to a draft.
  private static let bufferSize = 1 << 14

  private let name: String
  private let descriptor: FileDescriptor
  private let destination: FilePath?
  /// The path of the draft; `nil` for a device or a descriptor, and after the draft is renamed or deleted.
  package private(set) var draft: FilePath?
  /// Whether the draft is kept after a failure, so that the next run can recover it.
  private let keepsDraft: Bool
  /// The descriptor of the file to replace, if it exists and is readable.
  private let previous: Int32?
  /// The size in bytes of the new content so far, if that content equals the beginning of the previous file; otherwise
  /// `nil`.
  ///
  /// Equal bytes are not written to the draft. At the first difference, they are copied from the previous file. After
  /// that, the draft contains all flushed bytes.
  private var matchedCount: Int?
  private var buffer: [UInt8] = []

  /// Opens the destination for writing.
  ///
  /// `recover` receives the descriptor of a draft that an earlier run left behind, before the draft is truncated.
  /// Without `recover`, a failure deletes the draft.
  package init(
    _ destination: OutputDestination, recover: ((Int32) throws(CommandError) -> Void)? = nil,
    purpose: String = "part"
  ) throws(CommandError) {
    name = destination.description
    keepsDraft = recover != nil
    self.destination = destination.file
    descriptor = try Self.open(destination, purpose, recover)
    draft = destination.file.map { Self.path(of: purpose, beside: $0) }
    // An unreadable file can still be replaced.
    previous = destination.file.flatMap { try? FileDescriptor(opening: $0, O_RDONLY).release() }
    matchedCount = previous == nil ? nil : 0
  }

  private static func open(
    _ destination: OutputDestination, _ purpose: String,
    _ recover: ((Int32) throws(CommandError) -> Void)?
  ) throws(CommandError) -> FileDescriptor {
    let file: FileDescriptor?
    do throws(SystemError) {
      switch destination {
      case .descriptor(let number): return try FileDescriptor(duplicating: number)
      case .device(let path): return try FileDescriptor(opening: path, O_WRONLY)
      case .file(let path, let before):
        file = try claim(Self.path(of: purpose, beside: path), like: before)
      }
    } catch {
      throw .writing("\(destination)", over: destination.before, error)
    }
    guard let file else { throw .output("\(destination): in use by another lqip process") }
    if let recover, byteCount(of: file.number) > 0 { try recover(file.number) }
    ftruncate(file.number, 0)
    return file
  }

  deinit {
    if let previous { close(previous) }
    guard let draft, !keepsDraft || Self.byteCount(of: descriptor.number) == 0 else { return }
    Self.remove(draft)
  }

  private static func byteCount(of descriptor: Int32) -> Int {
    (try? FileStatus(of: descriptor))?.byteCount ?? 0
  }

  /// Deletes a file, ignoring errors.
  package static func remove(_ path: FilePath) {
    _ = try? unsafe path.withCString { unsafe unlink($0) }
  }

  /// Whether the output is a terminal.
  package var isTerminal: Bool {
    isatty(descriptor.number) == 1
  }

  /// Duplicates the descriptor of the file to replace, for another thread; returns `nil` if no readable file exists.
  package func openPrevious() throws(CommandError) -> FileDescriptor? {
    guard let previous else { return nil }
    do {
      return try FileDescriptor(duplicating: previous)
    } catch {
      throw .output("\(name): cannot read: \(error)")
    }
  }

  /// Appends bytes to the output.
  package mutating func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer += bytes
    // The reader of a pipe may wait for each record.
    if draft == nil || buffer.count >= Self.bufferSize { try flush() }
  }

  /// Appends a byte range of the file to replace.
  package mutating func copy(_ bounds: Range<Int>) throws(CommandError) {
    try flush()
    if bounds.lowerBound == matchedCount {
      matchedCount = bounds.upperBound
    } else {
      try copyMatchedBytes()
      try copyOld(bounds)
    }
  }

  /// Appends the bytes of the file to replace that follow an offset.
  package mutating func copyRest(from offset: Int) throws(CommandError) {
    try copy(offset..<max(offset, previous.map(Self.byteCount) ?? offset))
  }

  private mutating func flush() throws(CommandError) {
    guard !buffer.isEmpty else { return }
    do throws(SystemError) {
      if let matchedCount, let previous,
        try FileDescriptor.read(previous, at: matchedCount, upTo: buffer.count) == buffer
      {
        self.matchedCount = matchedCount + buffer.count
        return buffer.removeAll(keepingCapacity: true)
      }
    } catch {
      throw .writing(name, error)
    }
    try copyMatchedBytes()
    do {
      try FileDescriptor.writeAll(buffer, to: descriptor.number)
    } catch {
      throw .writing(name, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Copies the equal bytes from the previous file to the draft; called at the first difference.
  private mutating func copyMatchedBytes() throws(CommandError) {
    guard let count = matchedCount else { return }
    matchedCount = nil
    try copyOld(0..<count)
  }

  private func copyOld(_ bounds: Range<Int>) throws(CommandError) {
    var position = bounds.lowerBound
    do throws(SystemError) {
      while position < bounds.upperBound, let previous {
        let length = min(1 << 20, bounds.upperBound - position)
        let bytes = try FileDescriptor.read(previous, at: position, upTo: length)
        guard !bytes.isEmpty else { throw SystemError(number: EIO) }
        try FileDescriptor.writeAll(bytes, to: descriptor.number)
        position += bytes.count
      }
    } catch {
      throw .writing(name, error)
    }
  }

  /// Replaces the destination durably with the written content, unless both are identical.
  package consuming func commit() throws(CommandError) {
    try flush()
    guard let draft, let destination else { return }
    if let matchedCount, isUntouched(upTo: matchedCount, destination) { return }
    try copyMatchedBytes()
    do {
      try Self.replace(destination, by: draft, descriptor.number)
    } catch {
      throw .writing(name, error)
    }
    self.draft = nil
  }

  /// Stops writing without replacing the destination.
  ///
  /// `recover` receives the descriptor of the draft, which is then deleted. Without `recover`, the draft is kept only
  /// if the initializer received such a function.
  package consuming func abandon(
    recover: ((Int32) throws(CommandError) -> Void)? = nil
  ) throws(CommandError) {
    try flush()
    guard let recover, let draft else { return }
    if Self.byteCount(of: descriptor.number) > 0 { try recover(descriptor.number) }
    Self.remove(draft)
    self.draft = nil
  }

  /// Returns whether the destination is still the file that was compared, and has the same length as the new content.
  private func isUntouched(upTo count: Int, _ destination: FilePath) -> Bool {
    guard let previous, let status = try? FileStatus(of: previous) else {
      return false
    }
    let now = try? FileStatus(of: destination, followsLinks: false)
    return status.byteCount == count && now?.identity == status.identity
  }

  /// Replaces a file atomically by the bytes that `body` writes.
  ///
  /// The caller must hold the lock of the file's draft.
  package static func rewrite(
    _ path: FilePath, _ body: (inout OutputFile) throws(CommandError) -> Void
  ) throws(CommandError) {
    let before = try? FileStatus(of: path, followsLinks: true)
    var output = try OutputFile(.file(path, before), purpose: "new")
    try body(&output)
    try output.commit()
  }

  /// Syncs a draft, renames it to its destination and syncs the directory.
  ///
  /// The new content and its name then survive a power loss.
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
    // A failure to sync the directory is not an error, because the rename has succeeded.
    if let directory = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY) {
      fsync(directory.number)
    }
  }

  /// Returns the path of a hidden auxiliary file, `.FILE.purpose`, in the directory of `file`.
  package static func path(of purpose: String, beside file: FilePath) -> FilePath {
    FilePath(file.directory.bytes + ".".utf8 + file.name + ".\(purpose)".utf8)
  }

  /// Opens and locks a draft without truncating it.
  ///
  /// Another run may rename or delete the draft before it is locked. The path is therefore checked with the lock held.
  /// If the path no longer refers to the draft, the draft is created again.
  ///
  /// - Returns: The draft; `nil` if another run holds its lock.
  private static func claim(
    _ path: FilePath, like before: FileStatus?
  ) throws(SystemError) -> FileDescriptor? {
    while true {
      let descriptor = try create(path, like: before)
      let status = try FileStatus(of: descriptor.number)
      guard status.kind == .regular else { throw SystemError(number: EEXIST) }
      if flock(descriptor.number, LOCK_EX | LOCK_NB) == -1, errno == EWOULDBLOCK { return nil }
      if (try? FileStatus(of: path, followsLinks: false))?.identity == status.identity {
        return descriptor
      }
    }
  }

  /// Opens or creates a file, with the owner, group and permissions of the file to replace if the system allows it.
  ///
  /// Until the group is set, only the owner has access.
  private static func create(
    _ path: FilePath, like before: FileStatus?
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
    guard let before else { return try FileDescriptor(opening: path, flags) }
    let descriptor = try FileDescriptor(
      opening: path, flags, permissions: before.permissions & 0o700)
    fchown(descriptor.number, .max, before.group)
    fchmod(descriptor.number, before.permissions)
    // The owner is set last, because only the owner may change permissions.
    fchown(descriptor.number, before.owner, .max)
    return descriptor
  }
}

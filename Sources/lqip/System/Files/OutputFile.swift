/// Where results go: standard output, or a file that appears whole or not at all.
///
/// `FILE` is written as `.FILE.part` beside it, which only one run at a time can open, and takes its name
/// in `commit()`. Until then, and after any failure, what was there before is untouched. It stays
/// untouched too where the same bytes come again. Devices and pipes are written directly.
package struct OutputFile: ~Copyable {
  /// The number of bytes that are held before they are written.
  private static let bufferSize = 1 << 14

  private let name: String
  private let descriptor: FileDescriptor
  private let destination: FilePath?
  /// The path of the draft, while there is one.
  package private(set) var draft: FilePath?
  /// Whether the draft of a run that fails or is killed stays for the next one.
  private let keepsDraft: Bool
  /// The file that is to be replaced.
  private var old: FileDescriptor?
  private var oldNumber: Int32?
  /// The number of its first bytes that have come again; `nil` once others came, from when on the draft
  /// has all.
  private var matchedCount: Int?
  private var buffer: [UInt8] = []

  /// Opens the destination for writing.
  ///
  /// - Parameters:
  ///   - destination: Where to write.
  ///   - recover: For an output whose draft stays after a failure: takes up the draft that an earlier run has
  ///     left, by its descriptor, before it is emptied.
  /// - Throws: That the destination cannot be written, and why.
  package init(
    _ destination: OutputDestination, recover: ((Int32) throws(CommandError) -> Void)? = nil
  ) throws(CommandError) {
    name = destination.description
    keepsDraft = recover != nil
    self.destination = destination.file
    descriptor = try Self.open(destination, recover)
    draft = destination.file.map { Self.path(of: "part", beside: $0) }
    // What cannot be read can be replaced all the same.
    let file = destination.file ?? FilePath([])
    old = destination.file == nil ? nil : try? FileDescriptor(opening: file, O_RDONLY)
    oldNumber = old?.number
    matchedCount = oldNumber == nil ? nil : 0
  }

  private static func open(
    _ destination: OutputDestination, _ recover: ((Int32) throws(CommandError) -> Void)?
  ) throws(CommandError) -> FileDescriptor {
    let file: FileDescriptor?
    do throws(SystemError) {
      switch destination {
      case .descriptor(let number): return try FileDescriptor(duplicating: number)
      case .device(let path): return try FileDescriptor(opening: path, O_WRONLY)
      case .file(let path, let before):
        file = try claim(self.path(of: "part", beside: path), like: before)
      }
    } catch {
      throw .writing("\(destination)", over: destination.before, error)
    }
    guard let file else { throw .output("\(destination): in use by another run") }
    if let recover, byteCount(of: file.number) > 0 { try recover(file.number) }
    ftruncate(file.number, 0)
    return file
  }

  deinit {
    guard let draft, !keepsDraft || Self.byteCount(of: descriptor.number) == 0 else { return }
    Self.remove(draft)
  }

  private static func byteCount(of descriptor: Int32) -> Int {
    (try? FileStatus(of: descriptor))?.byteCount ?? 0
  }

  package static func remove(_ path: FilePath) {
    _ = try? unsafe path.withCString { unsafe unlink($0) }
  }

  /// Whether people see the output as it is written.
  package var isTerminal: Bool {
    isatty(descriptor.number) == 1
  }

  /// The file that is to be replaced, to be read by another thread; `nil` if there is none.
  package func openOld() throws(CommandError) -> FileDescriptor? {
    guard let number = oldNumber else { return nil }
    do {
      return try FileDescriptor(duplicating: number)
    } catch {
      throw .output("\(name): cannot read: \(error)")
    }
  }

  /// Appends bytes to the output.
  package mutating func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer += bytes
    // A reader may be waiting for what is written directly.
    if draft == nil || buffer.count >= Self.bufferSize { try flush() }
  }

  /// Appends a part of the file that is to be replaced.
  package mutating func copy(_ bounds: Range<Int>) throws(CommandError) {
    try flush()
    if bounds.lowerBound == matchedCount {
      matchedCount = bounds.upperBound
    } else {
      try unmatch()
      try copyOld(bounds)
    }
  }

  private mutating func flush() throws(CommandError) {
    guard !buffer.isEmpty else { return }
    do throws(SystemError) {
      if let matchedCount, let old = oldNumber,
        try Self.has(old, buffer, at: matchedCount)
      {
        self.matchedCount = matchedCount + buffer.count
        return buffer.removeAll(keepingCapacity: true)
      }
    } catch {
      throw .writing(name, error)
    }
    try unmatch()
    do {
      try FileDescriptor.writeAll(buffer, to: descriptor.number)
    } catch {
      throw .writing(name, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Puts what has come again so far into the draft, which is to differ from now on.
  private mutating func unmatch() throws(CommandError) {
    guard let count = matchedCount else { return }
    matchedCount = nil
    try copyOld(0..<count)
  }

  private static func has(
    _ descriptor: Int32, _ bytes: [UInt8], at offset: Int
  ) throws(SystemError) -> Bool {
    var count = 0
    while count < bytes.count {
      let rest = try FileDescriptor.read(
        descriptor, at: offset + count, upTo: bytes.count - count)
      guard !rest.isEmpty, bytes[count..<(count + rest.count)].elementsEqual(rest) else {
        return false
      }
      count += rest.count
    }
    return true
  }

  private func copyOld(_ bounds: Range<Int>) throws(CommandError) {
    var position = bounds.lowerBound
    do throws(SystemError) {
      while position < bounds.upperBound, let old = oldNumber {
        let length = min(1 << 20, bounds.upperBound - position)
        let bytes = try FileDescriptor.read(old, at: position, upTo: length)
        guard !bytes.isEmpty else { throw .inputOutput }
        try FileDescriptor.writeAll(bytes, to: descriptor.number)
        position += bytes.count
      }
    } catch {
      throw .writing(name, error)
    }
  }

  /// Makes everything written so far the content of the destination, durably.
  package consuming func commit() throws(CommandError) {
    try flush()
    guard let draft, let destination else { return }
    if let matchedCount, isUntouched(upTo: matchedCount, destination) { return }
    try unmatch()
    do {
      try Self.replace(destination, by: draft, descriptor.number)
    } catch {
      throw .writing(name, error)
    }
    self.draft = nil
  }

  /// Ends without a whole output: what there is stays in the draft, or is taken up from there.
  ///
  /// - Parameter recover: Takes up the draft, which then goes; `nil` to leave it to a later run.
  /// - Throws: What `recover` throws, or that the draft cannot be written.
  package consuming func abandon(
    recover: ((Int32) throws(CommandError) -> Void)? = nil
  ) throws(CommandError) {
    try flush()
    guard let recover, let draft else { return }
    if Self.byteCount(of: descriptor.number) > 0 { try recover(descriptor.number) }
    Self.remove(draft)
    self.draft = nil
  }

  /// Whether the destination still is the file that was compared, to its end.
  private func isUntouched(upTo count: Int, _ destination: FilePath) -> Bool {
    guard let number = oldNumber, let status = try? FileStatus(of: number) else { return false }
    let now = try? FileStatus(of: destination, followsLinks: false)
    return status.byteCount == count && now?.identity == status.identity
  }

  /// Replaces a file whose draft the caller holds.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - next: The bytes that come next; `nil` at their end.
  /// - Throws: What `next` throws, or that the file cannot be written.
  package static func rewrite(
    _ path: FilePath, _ next: () throws(CommandError) -> [UInt8]?
  ) throws(CommandError) {
    let new = Self.path(of: "new", beside: path)
    remove(new)
    let before = try? FileStatus(of: path, followsLinks: true)
    let file: FileDescriptor
    do {
      file = try create(new, like: before, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      throw .writing("\(path)", over: before, error)
    }
    defer { remove(new) }
    var buffer: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd {
      if let bytes = try next() { buffer += bytes } else { isAtEnd = true }
      guard isAtEnd || buffer.count >= 1 << 16 else { continue }
      do {
        try FileDescriptor.writeAll(buffer, to: file.number)
        if isAtEnd { try replace(path, by: new, file.number) }
      } catch {
        throw .writing("\(path)", error)
      }
      buffer.removeAll(keepingCapacity: true)
    }
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

  /// The hidden name of something that belongs to a file.
  package static func path(of purpose: String, beside file: FilePath) -> FilePath {
    FilePath(file.directory.bytes + ".".utf8 + file.name + ".\(purpose)".utf8)
  }

  /// Opens a draft together with what a killed run has left in it.
  ///
  /// Whoever holds the lock of the file has the name. The run before may have given it away between
  /// the two calls, hence the second look.
  ///
  /// - Returns: The draft; `nil` if another run has it.
  private static func claim(
    _ path: FilePath, like before: FileStatus?
  ) throws(SystemError) -> FileDescriptor? {
    while true {
      let descriptor = try create(path, like: before, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
      let status = try FileStatus(of: descriptor.number)
      guard status.kind == .regular else { throw SystemError(number: EEXIST) }
      if flock(descriptor.number, LOCK_EX | LOCK_NB) == -1, errno == EWOULDBLOCK { return nil }
      if (try? FileStatus(of: path, followsLinks: false))?.identity == status.identity {
        return descriptor
      }
    }
  }

  /// Makes a file of the same owner and group as the one it is to replace, as far as the system allows.
  ///
  /// Until the group is right, nobody but the owner can read it.
  private static func create(
    _ path: FilePath, like before: FileStatus?, _ flags: Int32
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
}

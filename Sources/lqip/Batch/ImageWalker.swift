package import LqipFiles
package import LqipRecords
internal import PlaceholderEncoding

/// Finds the images that paths stand for, one at a time.
///
/// A file that is named is an image whatever it is. In a directory, those regular files are that have
/// an image's extension or begin as one, since stores of attachments often drop the extension; hidden
/// names are passed over and symbolic links not followed, unless the options say otherwise.
///
/// Images come in byte order of their full paths, because a directory is sorted as if its name
/// ended in a slash. Only the directories between the root and the current file are held; where no
/// order is asked for, only some names of each and its subdirectories, which come after its files.
package struct ImageWalker: BatchSource {
  /// Why something in a directory is not looked into.
  package enum Skip: String, CaseIterable, Sendable {
    /// A symbolic link, where links are not followed.
    case link
    /// A symbolic link back into a directory that it lies in.
    case loop
    /// A symbolic link that leads nowhere, where links are followed.
    case dangling
    /// A pipe, a socket or a device.
    case special
  }

  /// What a walk comes across.
  package enum Finding: Hashable, Sendable {
    /// A file to encode, whether it may be a symbolic link, and whether it has to begin as an image
    /// to be taken for one.
    case image(FilePath, followsLinks: Bool, isCandidate: Bool)
    /// The bytes to encode, or why they are not to be had.
    case content(FilePath, Result<[UInt8], RecordFailure>)
    /// A name for what another one has stood for before.
    case link(FilePath, to: FilePath)
    /// A directory that cannot be read.
    case unreadable(FilePath, RecordFailure)
    /// A directory that was named, before and after what is in it.
    case entered(FilePath)
    case left(FilePath)
    /// A list that came to its end without a path.
    case emptyList
    case skipped(FilePath, Skip)
  }

  /// The names left to visit in one directory, last first; subdirectories end in a slash.
  private struct Level {
    let directory: FilePath
    let identity: FileStatus.Identity?
    var names: [[UInt8]]
    /// What is left to read of the directory.
    var rest: OpenDirectory?
    /// The subdirectories that were read, until all of the directory is.
    var subdirectories: [[UInt8]] = []

    mutating func sort() {
      names.sort { $1.lexicographicallyPrecedes($0) }
    }
  }

  /// How many names of a directory are read at a time where no order is asked for.
  private static let partCount = 1024

  private static let extensions: Set<[UInt8]> = Set(
    ["jpg", "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif"].map { Array($0.utf8) })

  package let options: WalkOptions
  private var levels: [Level]
  private var namedDirectory: FilePath?
  private var skipped: [(path: FilePath, kind: Skip)] = []
  private var lines: LineReader?
  /// Whether images of other shards were skipped.
  private var hasOtherParts = false
  /// Whether the list may still turn out to be empty.
  private var awaitsFirstLine: Bool

  /// Starts a walk.
  ///
  /// - Parameters:
  ///   - paths: Files and directories; they are visited in byte order.
  ///   - lines: More of them, one per line, visited afterwards in the order they come.
  ///   - options: What is visited in directories.
  package init(_ paths: [FilePath], lines: LineReader? = nil, options: WalkOptions = WalkOptions())
  {
    self.options = options
    var level = Level(directory: FilePath([]), identity: nil, names: paths.map(Self.name(of:)))
    level.sort()
    levels = [level]
    self.lines = lines
    awaitsFirstLine = lines != nil
  }

  /// The next finding, or nil at the end of the walk.
  package mutating func next() throws(CommandError) -> Finding? {
    while true {
      if let (path, kind) = skipped.popLast() { return .skipped(path, kind) }
      let top = levels.count - 1
      if let name = levels[top].names.popLast() {
        let path = levels[top].directory + name
        if path.bytes.last != FilePath.separator, let shard = options.shard, !shard.contains(path) {
          hasOtherParts = true
        } else if let finding = visit(path, isNamed: top == 0) {
          return finding
        }
      } else if levels[top].rest != nil {
        if let finding = goOn() { return finding }
      } else if top > 0 {
        levels.removeLast()
        // A directory may well have no image in one of its parts.
        if top == 1, let namedDirectory, !hasOtherParts { return .left(namedDirectory) }
      } else if let path = try nextLine() {
        if awaitsFirstLine, Self.beginsAsImage(path.bytes) {
          throw .input(
            "standard input: expected a list of paths, found an image; use: lqip encode --stdin")
        }
        awaitsFirstLine = false
        levels[0].names.append(Self.name(of: path))
      } else {
        defer { awaitsFirstLine = false }
        return awaitsFirstLine ? .emptyList : nil
      }
    }
  }

  private mutating func visit(_ path: FilePath, isNamed: Bool) -> Finding? {
    guard path.bytes.last == FilePath.separator else {
      // What is not there and is not called as images are may well be a directory.
      if isNamed, !Self.hasImageName(path) {
        do {
          _ = try FileStatus(of: path, followsLinks: true)
        } catch {
          return .unreadable(path, failure(error, at: path))
        }
      }
      return .image(
        path, followsLinks: isNamed || options.followsLinks,
        isCandidate: !isNamed && !Self.hasImageName(path))
    }
    let name = Self.withoutSlash(path)
    do {
      // With its slash, a symbolic link would be followed even where it must not be.
      let rest = try OpenDirectory(name, followsLinks: isNamed || options.followsLinks)
      guard !levels.contains(where: { $0.identity == rest.identity }) else {
        return .skipped(name, .loop)
      }
      var level = Level(directory: path, identity: rest.identity, names: [], rest: rest)
      try read(&level)
      levels.append(level)
      guard isNamed else { return nil }
      namedDirectory = name
      return .entered(name)
    } catch {
      return .unreadable(name, RecordFailure(error))
    }
  }

  /// Why a named path cannot be read, with a hint if it comes from a list that Windows has written.
  private func failure(_ error: SystemError, at path: FilePath) -> RecordFailure {
    let failure = RecordFailure(error)
    guard let lines, lines.count > 0, lines.terminator == UInt8(ascii: "\n"),
      path.bytes.last == UInt8(ascii: "\r")
    else { return failure }
    return RecordFailure(
      failure.code,
      "\(failure.message); line \(lines.count) ends with a carriage return (Windows line endings)")
  }

  /// Whether a first line is one of an image, whose signature may have ended it.
  private static func beginsAsImage(_ line: [UInt8]) -> Bool {
    let bytes = (line + [0x0A, 0x1A, 0x0A])[...]
    return ImageFormat(sniffing: bytes.span) != nil
  }

  private mutating func nextLine() throws(CommandError) -> FilePath? {
    do {
      while let line = try lines?.next() {
        if !line.isEmpty { return FilePath(line) }
      }
      return nil
    } catch {
      throw .input("standard input: cannot read paths: \(error)")
    }
  }

  /// Reads more of the directory that is being visited; gives the finding that it cannot be read.
  private mutating func goOn() -> Finding? {
    var level = levels.removeLast()
    defer { levels.append(level) }
    do {
      try read(&level)
      return nil
    } catch {
      level.rest = nil
      return .unreadable(Self.withoutSlash(level.directory), RecordFailure(error))
    }
  }

  /// Reads all of a directory, or a part where no order is asked for.
  private mutating func read(_ level: inout Level) throws(SystemError) {
    let directory = level.directory
    while let rest = level.rest,
      !options.isUnordered || level.names.count + skipped.count < Self.partCount
    {
      guard let (name, kind) = try rest.next(followsLinks: options.followsLinks) else {
        level.rest = nil
        level.names = level.subdirectories + level.names
        level.subdirectories = []
        return options.isUnordered ? () : level.sort()
      }
      guard isVisible(name) else { continue }
      let path = directory + name
      switch kind {
      // The turn of what may not be looked at tells why, as a file or as a directory.
      case .success(.regular),
        .failure where Self.hasImageName(path):
        if options.takesFile(path) { level.names.append(name) }
      case .success(.directory), .failure:
        guard options.entersDirectory(path) else { continue }
        level.subdirectories.append(name + [FilePath.separator])
      case .success(.symbolicLink): skipped.append((path, .link))
      case .success(.other): skipped.append((path, .special))
      case .success(nil): skipped.append((path, .dangling))
      }
    }
  }

  private func isVisible(_ name: [UInt8]) -> Bool {
    guard name.first == UInt8(ascii: ".") else { return true }
    return options.visitsHidden && name != Array(".".utf8) && name != Array("..".utf8)
  }

  /// Whether a file is called as images are.
  private static func hasImageName(_ path: FilePath) -> Bool {
    guard let dot = path.name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return extensions.contains(path.name[(dot + 1)...].map { UInt8(tolower(Int32($0))) })
  }

  /// The name under which a path is visited.
  private static func name(of path: FilePath) -> [UInt8] {
    let status = try? FileStatus(of: path, followsLinks: true)
    guard status?.kind == .directory else { return path.bytes }
    let bytes = withoutSlash(path).bytes
    return bytes == [FilePath.separator] ? bytes : bytes + [FilePath.separator]
  }

  private static func withoutSlash(_ path: FilePath) -> FilePath {
    let end = path.bytes.lastIndex { $0 != FilePath.separator } ?? 0
    return FilePath(Array(path.bytes.prefix(end + 1)))
  }
}

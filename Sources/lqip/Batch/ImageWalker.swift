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
/// ended in a slash. Only the directories between the root and the current file are held.
package struct ImageWalker: BatchSource {
  /// What a walk comes across.
  package enum Finding: Hashable, Sendable {
    /// A file to encode, and whether it may be a symbolic link.
    case image(FilePath, followsLinks: Bool)
    /// The bytes to encode, or why they are not to be had.
    case content(FilePath, Result<[UInt8], RecordFailure>)
    /// A directory that cannot be read.
    case unreadable(FilePath, SystemError)
    /// A directory that was named and has no image.
    case noImages(FilePath)
    /// A symbolic link back into a directory that it lies in, which is not followed.
    case loop(FilePath)
  }

  /// The names left to visit in one directory, last first; subdirectories end in a slash.
  private struct Level {
    let directory: FilePath
    let identity: FileStatus.Identity?
    var names: [[UInt8]]

    init(directory: FilePath, identity: FileStatus.Identity? = nil, names: [[UInt8]]) {
      self.directory = directory
      self.identity = identity
      self.names = names.sorted { $1.lexicographicallyPrecedes($0) }
    }
  }

  private static let extensions: Set<[UInt8]> = Set(
    ["jpg", "jpeg", "jpe", "jfif", "png", "apng"].map { Array($0.utf8) })

  let options: WalkOptions
  private var levels: [Level]
  private var namedDirectory: (path: FilePath, isEmpty: Bool)?
  private var lines: LineReader?

  /// Starts a walk.
  ///
  /// - Parameters:
  ///   - paths: Files and directories; they are visited in byte order.
  ///   - lines: More of them, one per line, visited afterwards in the order they come.
  ///   - options: What is visited in directories.
  package init(_ paths: [FilePath], lines: LineReader? = nil, options: WalkOptions = WalkOptions())
  {
    self.options = options
    levels = [Level(directory: FilePath([]), names: paths.map(Self.name(of:)))]
    self.lines = lines
  }

  /// The descriptor of the list, if the next finding means waiting for whoever writes it.
  package var awaitedDescriptor: Int32? {
    guard let lines, !lines.isReady, levels.allSatisfy(\.names.isEmpty) else { return nil }
    return lines.descriptor
  }

  /// The next finding, or nil at the end of the walk.
  package mutating func next(knowing knows: (FilePath) -> Bool) throws(CommandError) -> Finding? {
    while true {
      let top = levels.count - 1
      if let name = levels[top].names.popLast() {
        if let finding = visit(levels[top].directory + name, isNamed: top == 0, knows) {
          return finding
        }
      } else if top > 0 {
        levels.removeLast()
        if top == 1, let namedDirectory, namedDirectory.isEmpty {
          return .noImages(namedDirectory.path)
        }
      } else if let path = try nextLine() {
        levels[0].names.append(Self.name(of: path))
      } else {
        return nil
      }
    }
  }

  private mutating func visit(
    _ path: FilePath, isNamed: Bool, _ knows: (FilePath) -> Bool
  ) -> Finding? {
    guard path.bytes.last == FilePath.separator else {
      guard isNamed || isImage(path, knows) else { return nil }
      namedDirectory?.isEmpty = false
      return .image(path, followsLinks: isNamed || options.followsLinks)
    }
    if isNamed { namedDirectory = (Self.withoutSlash(path), isEmpty: true) }
    do {
      let level = try level(of: path, isNamed: isNamed)
      guard !levels.contains(where: { $0.identity == level.identity }) else {
        return .loop(Self.withoutSlash(path))
      }
      levels.append(level)
      return nil
    } catch {
      namedDirectory?.isEmpty = false
      return .unreadable(Self.withoutSlash(path), error)
    }
  }

  private mutating func nextLine() throws(CommandError) -> FilePath? {
    do {
      while let line = try lines?.next() {
        if !line.isEmpty { return FilePath(line) }
      }
      return nil
    } catch {
      throw .failed("cannot read paths from standard input: \(error)")
    }
  }

  private func level(of directory: FilePath, isNamed: Bool) throws(SystemError) -> Level {
    // With its slash, a symbolic link would be followed even where it must not be.
    var reader = try DirectoryReader(
      Self.withoutSlash(directory), followsLinks: isNamed || options.followsLinks)
    var names: [[UInt8]] = []
    while let entry = try reader.next() {
      guard isVisible(entry.name) else { continue }
      let isLink = options.followsLinks && entry.kind == .symbolicLink
      switch isLink ? reader.target(of: entry)?.kind : entry.kind {
      case .directory where options.entersDirectory(directory + entry.name):
        names.append(entry.name + [FilePath.separator])
      case .regular where options.takesFile(directory + entry.name): names.append(entry.name)
      default: continue
      }
    }
    return Level(directory: directory, identity: try reader.identity, names: names)
  }

  private func isVisible(_ name: [UInt8]) -> Bool {
    guard name.first == UInt8(ascii: ".") else { return true }
    return options.visitsHidden && name != Array(".".utf8) && name != Array("..".utf8)
  }

  /// Whether a file in a directory claims to be an image: by its name, or by its first bytes.
  private func isImage(_ path: FilePath, _ knows: (FilePath) -> Bool) -> Bool {
    if let dot = path.name.lastIndex(of: UInt8(ascii: ".")),
      Self.extensions.contains(path.name[(dot + 1)...].map { UInt8(tolower(Int32($0))) })
    {
      return true
    }
    if knows(path) { return true }
    guard let file = try? RegularFile(opening: path, followsLinks: options.followsLinks) else {
      return false
    }
    let beginning = file.descriptor.read(upTo: 8)
    return ImageFormat(sniffing: beginning.span) != nil
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

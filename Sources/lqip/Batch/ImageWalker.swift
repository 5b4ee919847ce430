#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
internal import Placeholders

/// Finds the images that paths stand for, one at a time.
///
/// A file that is named is an image whatever it is. In a directory, those regular files are that have
/// an image's extension or begin as one, since stores of attachments often drop the extension; hidden
/// names are passed over and symbolic links not followed.
///
/// Images come in byte order of their full paths, because a directory is sorted as if its name
/// ended in a slash. Only the directories between the root and the current file are held.
struct ImageWalker {
  /// What a walk comes across.
  enum Finding: Hashable, Sendable {
    /// A file to encode, and whether it was named itself rather than found in a directory.
    case image(FilePath, isNamed: Bool)
    /// A directory that cannot be read.
    case unreadable(FilePath, SystemError)
    /// A directory that was named and has no image.
    case noImages(FilePath)
  }

  /// The names left to visit in one directory, last first; subdirectories end in a slash.
  private struct Level {
    let directory: FilePath
    var names: [[UInt8]]

    init(directory: FilePath, names: [[UInt8]]) {
      self.directory = directory
      self.names = names.sorted { $1.lexicographicallyPrecedes($0) }
    }
  }

  private static let extensions: Set<[UInt8]> = Set(
    ["jpg", "jpeg", "jpe", "jfif", "png", "apng"].map { Array($0.utf8) })

  private var levels: [Level]
  private var namedDirectory: (path: FilePath, isEmpty: Bool)?
  private var lines: LineReader?

  /// Starts a walk.
  ///
  /// - Parameters:
  ///   - paths: Files and directories; they are visited in byte order.
  ///   - lines: More of them, one per line, visited afterwards in the order they come.
  init(_ paths: [FilePath], lines: LineReader? = nil) {
    levels = [Level(directory: FilePath([]), names: paths.map(Self.name(of:)))]
    self.lines = lines
  }

  /// Whether the next finding can be had without waiting for whoever writes the lines.
  var isReady: Bool {
    levels.contains { !$0.names.isEmpty } || lines?.isReady ?? true
  }

  /// The next finding, or nil at the end of the walk.
  mutating func next() throws(CommandError) -> Finding? {
    while true {
      let top = levels.count - 1
      if let name = levels[top].names.popLast() {
        if let finding = visit(levels[top].directory + name, isNamed: top == 0) { return finding }
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

  private mutating func visit(_ path: FilePath, isNamed: Bool) -> Finding? {
    guard path.bytes.last == FilePath.separator else {
      guard isNamed || Self.isImage(path) else { return nil }
      namedDirectory?.isEmpty = false
      return .image(path, isNamed: isNamed)
    }
    if isNamed { namedDirectory = (Self.withoutSlash(path), isEmpty: true) }
    do {
      levels.append(Level(directory: path, names: try Self.names(in: path, isNamed: isNamed)))
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

  private static func names(
    in directory: FilePath, isNamed: Bool
  ) throws(SystemError) -> [[UInt8]] {
    // With its slash, a symbolic link would be followed even where it must not be.
    var reader = try DirectoryReader(withoutSlash(directory), followsLinks: isNamed)
    var names: [[UInt8]] = []
    while let entry = try reader.next() {
      guard entry.name.first != UInt8(ascii: ".") else { continue }
      switch entry.kind {
      case .directory: names.append(entry.name + [FilePath.separator])
      case .regular: names.append(entry.name)
      default: continue
      }
    }
    return names
  }

  /// Whether a file in a directory claims to be an image: by its name, or by its first bytes.
  private static func isImage(_ path: FilePath) -> Bool {
    if let dot = path.name.lastIndex(of: UInt8(ascii: ".")),
      extensions.contains(path.name[(dot + 1)...].map { UInt8(tolower(Int32($0))) })
    {
      return true
    }
    guard let file = try? RegularFile(opening: path, followsLinks: false) else { return false }
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

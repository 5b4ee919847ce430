import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// Finds the images in files and directories, one at a time.
///
/// An explicit file, which is an operand or a line of the list, always counts as an image. In a directory, a regular
/// file counts if it has an image extension or an image signature: attachment stores often omit the extension.
/// Hidden names are skipped, and so are symbolic links unless `WalkOptions.followsLinks` is set.
///
/// Images are found in byte order of their full paths: a directory is sorted as if its name ended with a slash.
/// Memory holds only the names in the directories from the root to the current file.
struct ImageWalker: BatchSource {
  private struct Level {
    let directory: FilePath
    let identity: FileStatus.Identity?
    var names = DirectoryListing()
  }

  private static let extensions = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif", "avif", "heic", "heif", "hif",
  ]

  private let options: WalkOptions
  private let activity: InputActivity
  private var levels: [Level]
  private var skipped: [(path: FilePath, kind: Finding.Skip)] = []
  private var lines: LineReader?
  /// Whether an image of another shard has been reported.
  private var hasOtherShard = false

  /// Creates a walk over paths in byte order, followed by a list of paths in list order.
  init(
    _ paths: [FilePath], lines: LineReader? = nil, options: WalkOptions = WalkOptions(),
    _ activity: InputActivity = InputActivity()
  ) {
    (self.options, self.activity) = (options, activity)
    var level = Level(directory: FilePath([]), identity: nil)
    let visited = paths.map { path in
      let path = activity.perform(on: path) { Self.visitedPath(of: path) }
      return (path: path, key: options.base.map { Self.sortKey(of: path, in: $0) } ?? path)
    }
    // The order of the records, whose paths may be relative to a base.
    var previous: [UInt8] = []
    for (path, key) in visited.sorted(by: { FilePath($0.key).precedes(FilePath($1.key)) }) {
      // A shell passes a directory and its files for `**/*`. Each file has one record.
      let isInside = previous.last == FilePath.separator && key.starts(with: previous)
      guard key != previous,
        !isInside
          || !activity.perform(
            on: FilePath(path),
            { Self.visitFinds(path, options, below: key[previous.count...]) })
      else { continue }
      if !isInside { previous = key }
      level.names.add(path)
    }
    levels = [level]
    self.lines = lines
  }

  mutating func next() throws(CommandError) -> Finding? {
    while true {
      if let (path, kind) = skipped.popLast() { return .skipped(path, kind) }
      let top = levels.count - 1
      if let path = levels[top].names.next(in: levels[top].directory) {
        if let finding = visit(path, isExplicit: top == 0) { return finding }
      } else if top > 0 {
        levels.removeLast()
      } else if let path = try nextLine() {
        levels[0].names = DirectoryListing()
        levels[0].names.add(activity.perform(on: path) { Self.visitedPath(of: path) })
      } else {
        return nil
      }
    }
  }

  /// The estimated fraction of the walk that is done, assuming that all entries of a directory take the same time.
  var fraction: Double? {
    if let lines { return lines.fraction }
    var (start, step) = (0.0, 1.0)
    for level in levels {
      let position = level.names.position
      start += step * position.start
      step *= position.step
    }
    return start
  }

  private mutating func visit(_ path: FilePath, isExplicit: Bool) -> Finding? {
    guard path.bytes.last == FilePath.separator else {
      let hasImageExtension = Self.hasImageExtension(path)
      if !options.isInShard(path) {
        guard !hasOtherShard else { return nil }
        hasOtherShard = true
        return .skipped(path, .otherShard)
      }
      // A missing path without an image extension counts as a directory.
      if isExplicit, !hasImageExtension {
        do {
          _ = try activity.perform(on: path) { () throws(SystemError) in
            try FileStatus(of: path, followsLinks: true)
          }
        } catch {
          return .unlisted(path, RecordFailure(error))
        }
      }
      return .file(
        Finding.File(
          path: path, followsLinks: isExplicit || options.followsLinks,
          requiresSignature: !isExplicit && !hasImageExtension,
          device: isExplicit ? nil : levels[levels.count - 1].identity?.device))
    }
    let name = Self.withoutSlash(path)
    do {
      return try activity.perform(on: name) { () throws(SystemError) in
        try list(path, at: name, followsLinks: isExplicit || options.followsLinks)
      }
    } catch {
      if !isExplicit, error.isGone { return .skipped(name, .vanished) }
      if error == .accessDenied, Self.isLostAndFound(name) { return .skipped(name, .unreadable) }
      return .unlisted(name, RecordFailure(error))
    }
  }

  /// Adds the level of a directory; returns a finding if it contains itself.
  private mutating func list(
    _ path: FilePath, at name: FilePath, followsLinks: Bool
  ) throws(SystemError) -> Finding? {
    // With a trailing slash, the system would follow a symbolic link even if `followsLinks` is false.
    var reader = try DirectoryReader(name, followsLinks: followsLinks)
    let identity = try reader.identity
    guard !levels.contains(where: { $0.identity == identity }) else {
      return .skipped(name, .loop)
    }
    var level = Level(directory: path, identity: identity)
    try read(&reader, into: &level)
    levels.append(level)
    return nil
  }

  /// Returns whether a directory is the one that file system checks fill, which only root can read.
  private static func isLostAndFound(_ path: FilePath) -> Bool {
    path.name.elementsEqual("lost+found".utf8)
      && (try? FileStatus(of: path, followsLinks: false))?.owner == 0
  }

  private mutating func nextLine() throws(CommandError) -> FilePath? {
    while true {
      let line: [UInt8]?
      do {
        line = try lines?.next()
      } catch {
        throw .input("standard input: cannot read paths: \(error)")
      }
      guard let line else { return nil }
      if lines?.count == 1, Self.beginsAsImage(line) {
        throw .input(
          "standard input: expected a list of paths, found an image; use: lqip encode --stdin")
      }
      guard !line.contains(0) else {
        throw .input(
          "standard input: found both newline-terminated and NUL-terminated paths; use one or the other"
        )
      }
      if !line.isEmpty { return FilePath(line) }
    }
  }

  /// Returns whether the first line of a list is image data.
  ///
  /// The line feed in the PNG signature ends the line, so the end of the signature is appended.
  private static func beginsAsImage(_ line: [UInt8]) -> Bool {
    let bytes = (line + [0x0A, 0x1A, 0x0A])[...]
    return ImageFormat(sniffing: bytes.span) != nil
  }

  private mutating func read(
    _ reader: inout DirectoryReader, into level: inout Level
  ) throws(SystemError) {
    while let entry = try reader.next() {
      guard entry.name.first != UInt8(ascii: ".") else { continue }
      let directory = level.directory
      var path: FilePath { directory + entry.name }
      var kind: FileStatus.Kind? = entry.kind
      if options.followsLinks, entry.kind == .symbolicLink {
        do {
          kind = try reader.target(of: entry)?.kind
        } catch {
          // `visit` encounters the same error and reports it.
          kind = Self.hasImageExtension(path) ? .regular : .directory
        }
      }
      switch kind {
      case .regular: if options.selectsFile(path) { level.names.add(entry.name) }
      case .directory:
        if !options.isExcluded(path) { level.names.add(entry.name, isDirectory: true) }
      case .symbolicLink: skipped.append((path, .link))
      case .other: skipped.append((path, .special))
      case nil: skipped.append((path, .dangling))
      }
    }
    level.names.sort()
  }

  private static func hasImageExtension(_ path: FilePath) -> Bool {
    path.hasExtension(in: extensions)
  }

  /// Returns the path to visit; the path of a directory ends with a slash.
  private static func visitedPath(of path: FilePath) -> [UInt8] {
    let status = try? FileStatus(of: path, followsLinks: true)
    guard status?.kind == .directory else { return path.bytes }
    let bytes = withoutSlash(path).bytes
    return bytes == [FilePath.separator] ? bytes : bytes + [FilePath.separator]
  }

  /// Returns whether the visit to a directory finds an operand inside, whose key continues that of the directory.
  private static func visitFinds(
    _ path: [UInt8], _ options: WalkOptions, below name: ArraySlice<UInt8>
  ) -> Bool {
    let names = name.split(separator: FilePath.separator)
    guard !names.contains(where: { $0.first == UInt8(ascii: ".") }) else { return false }
    let file = withoutSlash(FilePath(path))
    // The visit skips links, but a link that is named is followed.
    let ends =
      file.bytes.indices.filter {
        $0 >= path.count - name.count && file.bytes[$0] == FilePath.separator
      } + [file.bytes.count]
    let hasLink = ends.contains { end in
      let part = FilePath(Array(file.bytes[..<end]))
      return (try? FileStatus(of: part, followsLinks: false))?.kind == .symbolicLink
    }
    guard options.followsLinks || !hasLink else { return false }
    return name.last == FilePath.separator
      ? !options.isExcluded(file) : options.selectsFile(file)
  }

  private static func sortKey(of path: [UInt8], in base: FilePath) -> [UInt8] {
    let name = FilePath(path).relative(to: base)?.bytes ?? path
    return path.last == FilePath.separator ? name + [FilePath.separator] : name
  }

  private static func withoutSlash(_ path: FilePath) -> FilePath {
    let end = path.bytes.lastIndex { $0 != FilePath.separator } ?? 0
    return FilePath(Array(path.bytes.prefix(end + 1)))
  }
}

/// The sorted names in a directory; each takes 8 bytes in addition to its characters.
struct DirectoryListing {
  private var characters: [UInt8] = []
  /// The range of each name in `characters`.
  private var names: [Range<UInt32>] = []
  private var visitedCount = 0

  /// Adds a name, followed by a slash for a directory.
  mutating func add(_ name: [UInt8], isDirectory: Bool = false) {
    // 4 GiB hold more than 100 million typical names.
    precondition(characters.count + name.count < UInt32.max, "directory too large")
    let start = UInt32(characters.count)
    characters += name
    if isDirectory { characters.append(FilePath.separator) }
    names.append(start..<UInt32(characters.count))
  }

  /// Sorts the names by their bytes, which is also the order of the full paths.
  mutating func sort() {
    unsafe characters.withUnsafeBufferPointer { characters in
      guard let base = characters.baseAddress else { return }
      names.sort { one, other in
        let order = unsafe memcmp(
          base + Int(one.lowerBound), base + Int(other.lowerBound), min(one.count, other.count))
        return order < 0 || order == 0 && one.count < other.count
      }
    }
  }

  /// Returns the path of the next name, or `nil` after the last.
  mutating func next(in directory: FilePath) -> FilePath? {
    guard visitedCount < names.count else { return nil }
    let name = names[visitedCount]
    visitedCount += 1
    return FilePath(directory.bytes + characters[Int(name.lowerBound)..<Int(name.upperBound)])
  }

  /// The fraction of the names before the current one, and the fraction of a single name.
  var position: (start: Double, step: Double) {
    let count = Double(max(1, names.count))
    return (Double(max(0, visitedCount - 1)) / count, 1 / count)
  }
}

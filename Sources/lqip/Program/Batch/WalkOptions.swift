import LqipOptions
import LqipRecords
import LqipSystem

/// The selection of files in directories and archives.
struct WalkOptions: Hashable, Sendable {
  var includes: [FilePath] = []
  var excludes: [FilePath] = []
  var followsLinks = false
  /// The shard to encode; `nil` for all images.
  var shard: Shard?
  /// The directory that paths in records are relative to; `nil` to record paths as given.
  var base: FilePath?

  static let table: [CommandOption<Self>] = [
    .value(
      "--include", "GLOB", { $0.includes.append($1) }, .glob,
      help: "Include only files matching GLOB",
      details: "May be repeated. A file passed as PATH is always included. A GLOB without '/' is "
        + "matched against the file name; any other GLOB is matched against the complete path, where "
        + "'*' also matches '/'."),
    .value(
      "--exclude", "GLOB", { $0.excludes.append($1) }, .glob,
      help: "Skip files and subdirectories matching GLOB",
      details: "May be repeated. GLOB is matched as in --include."),
    .flag(
      "--follow", { $0.followsLinks = true },
      help: "Follow symbolic links in directories",
      details: "A symbolic link to a directory that contains it is skipped."),
    .value(
      "--shard", "I/N", { $0.shard = $1 }, .shard,
      help: "Encode only shard I of N, assigned by path hash",
      details: "'lqip export' merges the outputs of the shards. With --update, records for other "
        + "shards are kept, unless --prune drops them."),
  ]

  /// Returns whether a file in a directory is selected.
  func selectsFile(_ path: @autoclosure () -> FilePath) -> Bool {
    (includes.isEmpty || includes.contains { Self.matches(path(), $0) })
      && (excludes.isEmpty || !isExcluded(path()))
  }

  func isExcluded(_ path: FilePath) -> Bool {
    excludes.contains { Self.matches(path, $0) }
  }

  /// Returns whether an archive entry is selected, by the same rules as a file in a directory.
  func selectsEntry(_ path: FilePath) -> Bool {
    guard selectsFile(path) else { return false }
    guard !excludes.isEmpty else { return true }
    let ends = path.bytes.indices.filter { path.bytes[$0] == FilePath.separator && $0 > 0 }
    return !ends.contains { isExcluded(FilePath(Array(path.bytes[..<$0]))) }
  }

  /// Returns whether a file belongs to the shard to encode, by the path in its record.
  func isInShard(_ path: FilePath) -> Bool {
    guard let shard else { return true }
    return shard.contains(base.flatMap { path.relative(to: $0) } ?? path)
  }

  /// Returns whether a path matches a shell pattern, as defined by `fnmatch`.
  ///
  /// A pattern without a slash is matched against the file name, any other pattern against the complete path.
  private static func matches(_ path: FilePath, _ pattern: FilePath) -> Bool {
    let isForName = !pattern.bytes.contains(FilePath.separator)
    // The paths in the operand `.` begin with it.
    let hasDot = path.bytes.starts(with: "./".utf8) && !pattern.bytes.starts(with: "./".utf8)
    let subject =
      isForName ? FilePath(Array(path.name)) : FilePath(Array(path.bytes.dropFirst(hasDot ? 2 : 0)))
    // A text with a null byte, which cannot be a path, matches nothing.
    let answer = try? unsafe pattern.withCString { pattern throws(SystemError) in
      try unsafe subject.withCString { subject in unsafe fnmatch(pattern, subject, 0) }
    }
    return answer == 0
  }
}

/// One of N disjoint sets of files, assigned by path hash.
struct Shard: Hashable, Sendable {
  /// The number of the shard, 1...`count`.
  let index: Int
  let count: Int

  /// Parses text such as `1/8`; `nil` if it is malformed or a number is out of range.
  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2, let index = Int(decimal: numbers[0]),
      let count = Int(decimal: numbers[1]),
      1...100_000 ~= count, 1...count ~= index
    else { return nil }
    self.index = index
    self.count = count
  }

  /// Returns whether a path belongs to this shard.
  ///
  /// Source: the hash is FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
  func contains(_ path: FilePath) -> Bool {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash % UInt64(count) == UInt64(index - 1)
  }
}

extension OptionValue<FilePath> {
  /// A shell pattern, for which shells offer no file names; a slash at the end is ignored.
  fileprivate static var glob: Self {
    OptionValue(allowed: path.allowed) { argument in
      path.parse(argument).map { glob in
        let end = glob.bytes.lastIndex { $0 != FilePath.separator }
        return end.map { FilePath(Array(glob.bytes[...$0])) } ?? glob
      }
    }
  }
}

extension OptionValue<Shard> {
  /// A shard, such as `1/8`.
  static var shard: Self {
    OptionValue(allowed: "I/N with I from 1 to N, such as 1/8") { Shard($0.text) }
  }
}

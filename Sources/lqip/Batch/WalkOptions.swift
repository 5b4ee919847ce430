package import LqipFiles
package import LqipOptions

/// Which of the files in a directory are visited.
package struct WalkOptions: Hashable, Sendable {
  package var includes: [FilePath]
  package var excludes: [FilePath]
  package var followsLinks: Bool
  package var visitsHidden: Bool
  /// The part of all images to encode; nil for all.
  package var shard: Shard?
  /// Whether files may come in any order, so that not all names of a directory have to be held.
  package var isUnordered = false

  package init(
    includes: [FilePath] = [], excludes: [FilePath] = [], followsLinks: Bool = false,
    visitsHidden: Bool = false, shard: Shard? = nil
  ) {
    self.includes = includes
    self.excludes = excludes
    self.followsLinks = followsLinks
    self.visitsHidden = visitsHidden
    self.shard = shard
  }

  /// The rows for the tables of the commands.
  package static let table: [CommandOption<Self>] = [
    .list(
      "--include", "GLOB", \.includes, .path,
      help: "Include only matching files in directories",
      details: "May be repeated. A GLOB without '/' is matched against the file name, any other "
        + "against the complete path, where '*' also matches '/'."),
    .list(
      "--exclude", "GLOB", \.excludes, .path,
      help: "Skip matching files and subdirectories",
      details: "May be repeated. GLOB is matched as in --include."),
    .flag(
      "--follow", \.followsLinks,
      help: "Follow symbolic links in directories",
      details: "A link to one of its own parent directories is skipped."),
    .flag("--hidden", \.visitsHidden, help: "Include hidden files and directories"),
    .value(
      "--shard", "I/N", \.shard, .shard,
      help: "Encode only part I of N, split by path hash",
      details: "'lqip merge' merges the outputs of the parts."),
  ]

  /// Tells whether a file in a directory is taken.
  package func takesFile(_ path: FilePath) -> Bool {
    (includes.isEmpty || includes.contains { Self.matches(path, $0) }) && !isExcluded(path)
  }

  /// Tells whether a subdirectory is entered.
  package func entersDirectory(_ path: FilePath) -> Bool {
    !isExcluded(path)
  }

  private func isExcluded(_ path: FilePath) -> Bool {
    excludes.contains { Self.matches(path, $0) }
  }

  /// Matches as the shell does; the corresponding C function is `fnmatch`.
  private static func matches(_ path: FilePath, _ pattern: FilePath) -> Bool {
    let isForName = !pattern.bytes.contains(FilePath.separator)
    let subject = isForName ? FilePath(Array(path.name)) : path
    let answer = try? unsafe pattern.withCString { pattern throws(SystemError) in
      try unsafe subject.withCString { subject in unsafe fnmatch(pattern, subject, 0) }
    }
    return answer == 0
  }
}

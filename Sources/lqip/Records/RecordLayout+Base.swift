package import LqipFiles

extension RecordLayout {
  /// The path of a file as its record has it.
  func told(_ path: FilePath) -> FilePath {
    path.relative(to: base)
  }

  /// The URL of a file within its site, as a member of its record.
  func source(of path: FilePath) -> JSON.Member {
    ("src", .string("/" + told(path).urlPath))
  }

  /// Whether there are files that have no place in such an output.
  package var hasObjections: Bool {
    base != nil || hasURLs
  }

  /// Why a file has no place in such an output; nil if it has.
  package func objection(to path: FilePath) -> RecordFailure? {
    if let base {
      guard !path.lies(below: base) else { return nil }
      return RecordFailure(.unreadable, "outside --base \(base)")
    }
    guard lacksURL(path) else { return nil }
    return RecordFailure(
      .unreadable,
      "outside the current directory, so no URL can be derived; pass --base with your web root")
  }

  /// Whether records have URLs, and there is none for a path.
  package func lacksURL(_ path: FilePath) -> Bool {
    base == nil && hasURLs && path.leavesWorkingDirectory
  }

  private var hasURLs: Bool {
    members.contains("src")
  }
}

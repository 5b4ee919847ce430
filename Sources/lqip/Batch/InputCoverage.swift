internal import LqipFiles
internal import LqipRecords

/// What a run has seen of its input, which decides whether a file that it did not see is gone.
struct InputCoverage {
  /// Whether directories and lists without an image are what the user expects.
  private let allowsEmpty: Bool
  /// Directories that were listed, each with a slash at its end.
  private var directories: [FilePath] = []
  private var readsList = false
  /// Links to what may come back, such as a disk that is not mounted, each with a slash at its end.
  private var danglingLinks: Set<FilePath> = []
  /// Whether nothing went wrong with listing and reading.
  private(set) var isWhole = true
  /// The last directory that was looked into, and whether there was anything in it.
  private var lastParent: (path: FilePath, isEmpty: Bool)?

  init(allowsEmpty: Bool, readsList: Bool) {
    self.allowsEmpty = allowsEmpty
    self.readsList = readsList
  }

  /// Takes in what the batch came across.
  mutating func note(_ event: BatchEncoder.Event) {
    switch event {
    case .entered(let directory): directories.append(Self.withSlash(directory))
    case .noImages(let directory) where !allowsEmpty:
      let empty = Self.withSlash(directory)
      directories.removeAll { $0 == empty }
    case .emptyList where !allowsEmpty: readsList = false
    case .skipped(let path, .dangling): danglingLinks.insert(Self.withSlash(path))
    case .unlisted: isWhole = false
    case .kept(_, let failure) where failure.isOfReading: isWhole = false
    case .record(let record, _):
      if case .failed(let failure) = record.outcome, failure.isOfReading { isWhole = false }
    default: break
    }
  }

  private static func withSlash(_ directory: FilePath) -> FilePath {
    (directory + [FilePath.separator]).normalized
  }

  /// Whether there is a place whose files the run knows: a directory may turn out to have no images
  /// after all.
  var hasPlaces: Bool {
    !directories.isEmpty || readsList
  }

  /// Whether a file that the run did not see is known not to be there.
  ///
  /// The system must report that it does not exist, and the run must have listed its directory. A list
  /// names no directories: then the nearest existing parent must not be empty, as an unmounted disk's
  /// mount point would be.
  mutating func isGone(_ path: FilePath) -> Bool {
    do {
      // The record may be that of a directory that could not be listed.
      guard try FileStatus(of: path, followsLinks: false).kind == .directory else { return false }
    } catch {
      guard error == .notFound || error == .notDirectory else { return false }
    }
    let name = path.normalized
    guard !isBehindDanglingLink(name) else { return false }
    return directories.contains { name.lies(in: $0) }
      || readsList && (allowsEmpty || isBeside(path))
  }

  private func isBehindDanglingLink(_ path: FilePath) -> Bool {
    guard !danglingLinks.isEmpty else { return false }
    var parent = path.directory
    while !parent.bytes.isEmpty {
      if danglingLinks.contains(parent) { return true }
      parent = FilePath(Array(parent.bytes.dropLast())).directory
    }
    return false
  }

  /// Whether there is anything in the nearest directory above a path that is there.
  private mutating func isBeside(_ path: FilePath) -> Bool {
    var parent = path.directory
    while true {
      if let lastParent, lastParent.path == parent { return !lastParent.isEmpty }
      let name = parent.bytes.isEmpty ? FilePath(".") : parent
      do {
        var reader = try DirectoryReader(name, followsLinks: true)
        var isEmpty = true
        while isEmpty, let entry = try reader.next() {
          isEmpty = [Array(".".utf8), Array("..".utf8)].contains(entry.name)
        }
        lastParent = (parent, isEmpty)
        return !isEmpty
      } catch {
        guard error == .notFound || error == .notDirectory, !parent.bytes.isEmpty else {
          return false
        }
        parent = FilePath(Array(parent.bytes.dropLast())).directory
      }
    }
  }
}

import LqipOptions
import LqipPages
import LqipSystem

/// The files of a site, with paths relative to its root.
struct SiteFiles {
  /// The pages in byte order, without hidden ones.
  private(set) var pages: [FilePath] = []
  private var others: [FilePath] = []
  private(set) var links: [FilePath] = []
  /// The directories, each after its parent.
  private var directories: [FilePath] = []

  init(in root: FilePath) throws(CommandError) {
    var waiting = [FilePath([])]
    while let directory = waiting.popLast() {
      directories.append(directory)
      let path = root.appending(directory)
      try CommandError.catching({
        .input("\(path): cannot list: \($0)\(Advice.site(path))")
      }) {
        var reader = try DirectoryReader(path, followsLinks: directory.bytes.isEmpty)
        while let entry = try reader.next() {
          guard ![Array(".".utf8), Array("..".utf8)].contains(entry.name) else { continue }
          let file = directory.appending(FilePath(entry.name))
          switch entry.kind {
          case .directory: waiting.append(file)
          case .symbolicLink: links.append(file)
          case .regular where file.hasExtension(in: ["html", "htm"]) && !file.isHidden:
            pages.append(file)
          case .regular: others.append(file)
          case .other: StandardError.print("\(root.appending(file)): skipped: not a regular file")
          }
        }
      }
    }
    pages.sort { $0.precedes($1) }
  }

  /// The stylesheets in byte order, without that of this program.
  var stylesheets: [FilePath] {
    others.filter { $0.hasExtension(in: ["css"]) && $0 != FilePath(PageScan.stylesheet) }
      .sorted { $0.precedes($1) }
  }

  var isEmpty: Bool { pages.isEmpty && others.isEmpty && links.isEmpty }

  func makeDirectories(in output: FilePath) throws(CommandError) {
    for directory in directories {
      let path = output.appending(directory)
      try CommandError.catching({ .output("\(path): cannot create: \($0)") }) {
        try path.makeDirectory()
      }
      // A link that an earlier copy has made may lead anywhere.
      let status = try? FileStatus(of: path, followsLinks: false)
      if status?.kind == .symbolicLink, !directory.bytes.isEmpty {
        throw .output("\(path): a symbolic link, but a directory in the site")
      }
    }
  }

  /// Copies some pages, and everything except pages.
  func copyOthers(
    from root: FilePath, to output: FilePath, with pages: [FilePath]
  ) throws(CommandError) {
    for link in links {
      let path = output.appending(link)
      try CommandError.catching({ .output("\(path): cannot create: \($0)") }) {
        try path.makeLink(to: root.appending(link).linkTarget())
      }
    }
    for file in others + pages {
      let source = root.appending(file)
      let reading: (any Error) -> CommandError = { .input("\(source): cannot read: \($0)") }
      let input = try CommandError.catching(reading) {
        try FileDescriptor(opening: source, O_RDONLY | O_NOFOLLOW)
      }
      try OutputFile.rewrite(output.appending(file)) { copy throws(CommandError) in
        var position = 0
        while true {
          let bytes = try CommandError.catching(reading) {
            try FileDescriptor.read(input.number, at: position, upTo: 1 << 20)
          }
          guard !bytes.isEmpty else { return }
          try copy.write(bytes)
          position += bytes.count
        }
      }
    }
  }
}

extension FilePath {
  /// Returns the path of a file in this directory.
  func appending(_ file: FilePath) -> FilePath {
    guard !bytes.isEmpty, !file.bytes.isEmpty else { return bytes.isEmpty ? file : self }
    return self + (bytes.last == Self.separator ? [] : [Self.separator]) + file.bytes
  }

  /// Returns whether this path, of a directory that may not exist yet, is a directory or inside it.
  func isInside(_ directory: FilePath) -> Bool {
    func identity(_ path: FilePath) -> FileStatus.Identity? {
      (try? FileStatus(of: path, followsLinks: true))?.identity
    }
    guard let wanted = identity(directory) else { return false }
    var path = self
    while identity(path) == nil {
      while path.bytes.last == Self.separator { path = FilePath(Array(path.bytes.dropLast())) }
      path = path.directory.bytes.isEmpty ? FilePath(".") : path.directory
    }
    var last: FileStatus.Identity?
    while let next = identity(path), next != last {
      if next == wanted { return true }
      (path, last) = (path.appending(FilePath("..")), next)
    }
    return false
  }

  /// Whether a component begins with a dot.
  fileprivate var isHidden: Bool {
    bytes.split(separator: Self.separator).contains { $0.first == UInt8(ascii: ".") }
  }

  /// Creates a symbolic link at this path, unless it exists with the same target.
  fileprivate func makeLink(to target: FilePath) throws(SystemError) {
    if (try? linkTarget()) == target { return }
    try unsafe target.withCString { target throws(SystemError) in
      try unsafe withSystemName { directory, name throws(SystemError) in
        _ = try SystemError.check { unsafe symlinkat(target, directory, name) }
      }
    }
  }
}

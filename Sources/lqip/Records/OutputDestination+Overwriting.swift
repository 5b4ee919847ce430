package import LqipFiles

extension OutputDestination {
  /// Whether there is something to lose.
  package var hasContent: Bool {
    if case .file(_, let status?) = self { status.byteCount > 0 } else { false }
  }

  /// Refuses to replace what is not recognized as an output of this program.
  ///
  /// - Parameters:
  ///   - force: Whether the user wants it replaced whatever it is.
  ///   - inputs: The files and directories that are read, which are never replaced; `-` is standard
  ///     input.
  ///   - isOutput: Whether this program has written an open file.
  /// - Returns: Whether something else than an output is replaced.
  /// - Throws: What would be overwritten.
  @discardableResult
  package func checkOverwriting(
    force: Bool, apartFrom inputs: [FilePath] = [], _ isOutput: (Int32) -> Bool
  ) throws(CommandError) -> Bool {
    guard case .file(let path, let status?) = self else { return false }
    let identities = inputs.compactMap { input in
      let isStandardInput = input == FilePath("-")
      let status =
        isStandardInput
        ? try? FileStatus(of: STDIN_FILENO) : try? FileStatus(of: input, followsLinks: true)
      return status?.identity
    }
    guard !identities.contains(status.identity) else { throw refusal }
    guard hasContent else { return false }
    let file: FileDescriptor
    do {
      file = try FileDescriptor(opening: path, O_RDONLY)
    } catch {
      throw .output("\(path): cannot check whether lqip wrote it: \(error)")
    }
    guard !isOutput(file.number) else { return false }
    let isRead = Self.ancestors(of: path).contains(where: identities.contains)
    if isRead, file.isImage { throw refusal }
    guard force else {
      throw .output(
        "\(path) was not written by lqip; pass --force to replace it")
    }
    return true
  }

  /// What is said of an output that is an input too.
  package var refusal: CommandError {
    .output("\(self): refusing to overwrite an input")
  }

  /// The directories that a file lies in.
  private static func ancestors(of path: FilePath) -> [FileStatus.Identity] {
    var directory = path.directory.bytes.isEmpty ? FilePath("./") : path.directory
    var identities: [FileStatus.Identity] = []
    while let identity = try? FileStatus(of: directory, followsLinks: true).identity,
      identity != identities.last
    {
      identities.append(identity)
      directory = directory + "../".utf8
    }
    return identities
  }
}

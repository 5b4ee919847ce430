#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where results go: standard output, or a file that appears whole or not at all.
///
/// A file is written under a hidden name beside its destination and takes the destination's name
/// in `commit()`; until then, and after any failure, what was there before is untouched. Devices
/// and pipes have no "before", so they are written directly.
struct OutputFile: ~Copyable {
  /// A file that is to take the name of another.
  private struct Draft {
    let path: FilePath
    let destination: FilePath
  }

  private let name: String
  private let descriptor: FileDescriptor
  private var draft: Draft?

  /// Opens the destination for writing; nil or `-` is standard output.
  init(_ path: FilePath?) throws(CommandError) {
    let path = path == FilePath("-") ? nil : path
    name = path?.description ?? "standard output"
    do {
      guard let path else {
        descriptor = try FileDescriptor(duplicating: STDOUT_FILENO)
        return
      }
      let old = try Self.existing(path)
      guard old?.kind ?? .regular == .regular else {
        descriptor = try FileDescriptor(opening: path, O_WRONLY)
        return
      }
      let destination = Self.resolved(path)
      let draft = Draft(path: Self.draftPath(beside: destination), destination: destination)
      descriptor = try FileDescriptor(opening: draft.path, O_WRONLY | O_CREAT | O_EXCL)
      self.draft = draft
      if let old { fchmod(descriptor.number, old.permissions) }
    } catch {
      throw Self.failure(error, writing: name)
    }
  }

  deinit {
    guard let draft else { return }
    _ = try? unsafe draft.path.withCString { unsafe unlink($0) }
  }

  /// Appends bytes to the output.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    do {
      try FileDescriptor.writeAll(bytes, to: descriptor.number)
    } catch {
      throw Self.failure(error, writing: name)
    }
  }

  /// Makes everything written so far the content of the destination, durably.
  consuming func commit() throws(CommandError) {
    guard let draft else { return }
    do {
      _ = try SystemError.check { fsync(descriptor.number) }
      try unsafe draft.path.withCString { old throws(SystemError) in
        try unsafe draft.destination.withCString { new throws(SystemError) in
          _ = try SystemError.check { unsafe rename(old, new) }
        }
      }
    } catch {
      throw Self.failure(error, writing: name)
    }
    self.draft = nil
  }

  private static func failure(_ error: SystemError, writing name: String) -> CommandError {
    error == .brokenPipe ? .outputClosed : .failed("cannot write \(name): \(error)")
  }

  /// What is there now; nil when nothing is.
  private static func existing(_ path: FilePath) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(of: path, followsLinks: true)
    } catch {
      guard error == .notFound else { throw error }
      return nil
    }
  }

  /// The file that a symbolic link leads to, so that the link stays and its target is replaced.
  private static func resolved(_ path: FilePath) -> FilePath {
    guard (try? FileStatus(of: path, followsLinks: false))?.kind == .symbolicLink else {
      return path
    }
    let target = try? unsafe path.withCString { name -> FilePath in
      guard let target = unsafe realpath(name, nil) else { return path }
      defer { unsafe free(target) }
      return unsafe FilePath(cString: target)
    }
    return target ?? path
  }

  private static func draftPath(beside path: FilePath) -> FilePath {
    let tag = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return path.directory + ".lqip-\(tag).tmp".utf8
  }
}

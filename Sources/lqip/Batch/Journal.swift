internal import LqipFiles

/// The records that a run has made, written down at once beside its output.
///
/// A run that is killed leaves its journal for the next one. While it is open, no other run can
/// open it, so that two runs never write the same output.
final class Journal {
  let descriptor: FileDescriptor
  private let output: FilePath
  private let path: FilePath
  /// Whether nobody would miss it.
  private var isEmpty = false

  /// Opens the journal of an output, or makes it.
  init(for output: FilePath) throws(CommandError) {
    self.output = output
    path = Self.path(of: "journal", beside: output)
    do {
      descriptor = try Self.open(path)
    } catch {
      let reason = error == .wouldBlock ? "another run is writing it" : "\(error)"
      throw .failed("cannot write \(output): \(reason)")
    }
  }

  deinit {
    if isEmpty { remove() }
  }

  /// The hidden name of something that belongs to a file.
  static func path(of purpose: String, beside file: FilePath) -> FilePath {
    FilePath(file.directory.bytes + ".".utf8 + file.name + ".\(purpose)".utf8)
  }

  /// Forgets everything after a record, which may be torn, and goes on writing there.
  ///
  /// - Parameters:
  ///   - end: Where the record ends; 0 if there is none.
  ///   - opening: What a journal without records begins with.
  /// - Throws: That the output cannot be written, and why.
  func resume(after end: Int, opening: [UInt8]) throws(CommandError) {
    do {
      _ = try SystemError.check { ftruncate(descriptor.number, off_t(end)) }
      _ = try SystemError.check { lseek(descriptor.number, 0, SEEK_END) }
    } catch {
      throw .failed("cannot write \(output): \(error)")
    }
    if end == 0 { try write(opening) }
    isEmpty = end == 0
  }

  /// Appends bytes, which survive the end of the process from then on.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    isEmpty = false
    do {
      try FileDescriptor.writeAll(bytes, to: descriptor.number)
    } catch {
      throw .failed("cannot write \(output): \(error)")
    }
  }

  /// Removes the journal, whose records are all in the output.
  func remove() {
    isEmpty = false
    // One that stays is read by the next run, which finds nothing new in it.
    _ = try? unsafe path.withCString { unsafe unlink($0) }
  }

  /// Opens the file under its lock.
  ///
  /// The run before may have removed it between the two calls, hence the second look.
  private static func open(_ path: FilePath) throws(SystemError) -> FileDescriptor {
    while true {
      let descriptor = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW)
      _ = try SystemError.check { flock(descriptor.number, LOCK_EX | LOCK_NB) }
      let status = try FileStatus(of: descriptor.number)
      if (try? FileStatus(of: path, followsLinks: false))?.identity == status.identity {
        return descriptor
      }
    }
  }
}

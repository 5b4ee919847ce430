internal import LqipFiles
internal import LqipRecords

/// The records that a run has made, written down at once beside its output.
///
/// It has an object per line, whatever the format of the output. A run that is killed leaves its
/// journal for the next one. While it is open, no other run can open it, so that two runs never write
/// the same output. Where records have no stamps nothing is written to it, and it is only that lock.
final class Journal {
  static let form = RecordForm(.ndjson)

  let descriptor: FileDescriptor
  private let output: FilePath
  /// Where the journal lies.
  let path: FilePath
  /// Whether it can be removed without losing a record.
  private(set) var isEmpty = false

  /// Opens the journal of an output, or makes it.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - before: What is there now, whose permissions hold for the journal too.
  /// - Throws: That another run is at it, or that it cannot be written.
  init(for output: FilePath, like before: FileStatus?) throws(CommandError) {
    self.output = output
    path = OutputFile.path(of: "journal", beside: output)
    do {
      descriptor = try Self.open(path, like: before)
    } catch {
      guard error == .wouldBlock else { throw .writing("\(output)", over: before, error) }
      throw .output("\(output): another lqip process is writing this file")
    }
    isEmpty = hasNoBytes
  }

  private var hasNoBytes: Bool {
    (try? FileStatus(of: descriptor.number))?.byteCount == 0
  }

  deinit {
    if isEmpty { remove() }
    // A process that is being started holds a copy of the descriptor until its `exec`, and the lock with it.
    flock(descriptor.number, LOCK_UN)
  }

  /// Removes a journal without records.
  static func removeIfEmpty(_ path: FilePath) {
    let status = try? FileStatus(of: path, followsLinks: false)
    if status?.byteCount == 0 { OutputFile.remove(path) }
  }

  /// Forgets everything after a record, which may be torn, and goes on writing there.
  ///
  /// - Parameter end: Where the record ends, with its terminator, even if that is not there; 0 if there
  ///   is no record.
  /// - Throws: That the output cannot be written, and why.
  func resume(after end: Int) throws(CommandError) {
    do {
      let size = try FileStatus(of: descriptor.number).byteCount
      _ = try SystemError.check { ftruncate(descriptor.number, off_t(min(end, size))) }
      _ = try SystemError.check { lseek(descriptor.number, 0, SEEK_END) }
      // The run before may have been killed between a record and its terminator.
      if end > size { try FileDescriptor.writeAll(Array("\n".utf8), to: descriptor.number) }
    } catch {
      throw .writing("\(output)", error)
    }
    isEmpty = end == 0
  }

  /// Appends bytes, which survive the end of the process from then on.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    isEmpty = false
    do {
      try FileDescriptor.writeAll(bytes, to: descriptor.number)
    } catch {
      isEmpty = hasNoBytes
      throw .writing("\(output)", error)
    }
  }

  /// Removes the journal, whose records are all in the output.
  func remove() {
    isEmpty = false
    // One that stays is read by the next run, which finds nothing new in it.
    OutputFile.remove(path)
  }

  /// Opens the file under its lock.
  ///
  /// The run before may have removed it between the two calls, hence the second look.
  private static func open(
    _ path: FilePath, like before: FileStatus?
  ) throws(SystemError) -> FileDescriptor {
    while true {
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW
      let descriptor = try OutputFile.create(path, like: before, flags)
      do throws(SystemError) {
        _ = try SystemError.check { flock(descriptor.number, LOCK_EX | LOCK_NB) }
      } catch {
        guard [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(error.number) else { throw error }
        StandardError.print(
          "\(path): warning: the file system does not support locks; run only one lqip per output"
        )
        return descriptor
      }
      let status = try FileStatus(of: descriptor.number)
      if (try? FileStatus(of: path, followsLinks: false))?.identity == status.identity {
        return descriptor
      }
    }
  }
}

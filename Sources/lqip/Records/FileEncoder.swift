package import LqipSystem

/// Opens files and creates the tasks for workers, which encode the images.
package struct FileEncoder: Sendable {
  /// An open file and its task.
  package struct Opened: ~Copyable {
    package let file: RegularFile
    package let task: ImageTask
    /// The stamp of the record; `nil` if the encoder does not stamp records.
    package let stamp: RecordStamp?

    /// Returns the descriptor without closing it; the caller becomes its owner.
    package consuming func release() -> Int32 { file.release() }
  }

  private let settings: EncoderSettings
  /// Whether records contain the SHA-256 digest of the file.
  package var includesDigest: Bool
  /// The settings in the stamps of records; `nil` to create records without a stamp.
  package var stampedSettings: String?

  package init(_ settings: EncoderSettings, includesDigest: Bool) {
    self.settings = settings
    self.includesDigest = includesDigest
  }

  /// Opens a file for a worker.
  package func open(_ path: FilePath, followsLinks: Bool) throws(RecordFailure) -> Opened {
    let file: RegularFile?
    do {
      file = try RegularFile(opening: path, followsLinks: followsLinks)
    } catch {
      throw RecordFailure(error)
    }
    guard let file else { throw RecordFailure(.unreadable, "not a regular file") }
    return opened(file)
  }

  /// Returns a file that has just been opened, with its task.
  package func opened(_ file: consuming RegularFile) -> Opened {
    let task = task(byteCount: file.status.byteCount)
    let stamp = stampedSettings.map { RecordStamp(file.status, settings: $0, at: .now) }
    return Opened(file: file, task: task, stamp: stamp)
  }

  package func task(byteCount: Int) -> ImageTask {
    var task = ImageTask(settings, byteCount: byteCount)
    task.includesDigest = includesDigest
    return task
  }
}

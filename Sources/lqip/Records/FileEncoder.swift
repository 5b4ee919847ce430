package import LqipSystem

/// Opens files, and creates their tasks for workers and the stamps of their records.
package struct FileEncoder: Sendable {
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
  package static func open(
    _ path: FilePath, followsLinks: Bool
  ) throws(RecordFailure) -> RegularFile {
    let file: RegularFile?
    do {
      file = try RegularFile(opening: path, followsLinks: followsLinks)
    } catch {
      throw RecordFailure(error)
    }
    guard let file else { throw RecordFailure(.unreadable, "not a regular file") }
    return file
  }

  /// Returns the stamp of a file that has just been opened; `nil` if the encoder does not stamp records.
  package func stamp(_ status: FileStatus) -> RecordStamp? {
    stampedSettings.map { RecordStamp(status, settings: $0, at: .now) }
  }

  package func task(byteCount: Int) -> ImageTask {
    var task = ImageTask(settings, byteCount: byteCount)
    task.includesDigest = includesDigest
    return task
  }
}

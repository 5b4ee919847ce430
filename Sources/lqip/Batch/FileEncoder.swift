internal import Placeholders

/// Turns one file into its record.
struct FileEncoder: Sendable {
  let encoder: PlaceholderEncoder
  let maximumByteCount: Int

  /// Encodes a file; whatever is wrong with it ends up in the record.
  func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    PlaceholderRecord(path: path, outcome: outcome(of: path, followsLinks: followsLinks))
  }

  private func outcome(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord.Outcome {
    do {
      guard let file = try RegularFile(opening: path, followsLinks: followsLinks) else {
        return .failed(RecordFailure(.unreadable, "not a regular file"))
      }
      return outcome(of: file)
    } catch {
      return .failed(RecordFailure(error))
    }
  }

  private func outcome(of file: borrowing RegularFile) -> PlaceholderRecord.Outcome {
    guard file.byteCount <= maximumByteCount else {
      let message = "\(file.byteCount) bytes are more than the limit of \(maximumByteCount)"
      return .failed(RecordFailure(.tooLarge, message))
    }
    guard file.byteCount > 0 else {
      return .failed(RecordFailure(.unsupportedFormat, "the file is empty"))
    }
    do {
      let placeholders = try encoder.encode(fileDescriptor: file.descriptor.number)
      return .encoded(placeholders, byteCount: file.byteCount)
    } catch {
      return .failed(RecordFailure(error))
    }
  }
}

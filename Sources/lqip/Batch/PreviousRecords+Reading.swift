internal import LqipFiles
internal import LqipRecords

extension PreviousRecords {
  /// Reads an entry again; nil for one that is not there any more.
  func entry(_ number: Int) throws(CommandError) -> RecordEntry? {
    let place = index[number]
    if number < indexedCount {
      let bytes: [UInt8]?
      do {
        bytes = try window?.read(at: place.offset, count: place.byteCount)
      } catch {
        throw unreadable(error)
      }
      return bytes.flatMap { RecordEntry($0, form, in: layout) }
    }
    guard let journal else { return nil }
    return RecordEntry(
      try read(place.offset..<place.offset + place.byteCount, of: journal), Journal.form, in: layout
    )
  }

  /// Reads a part of the output or of the journal, as much as there is.
  func read(_ part: Range<Int>, of file: Int32) throws(CommandError) -> [UInt8] {
    do {
      return try FileDescriptor.read(file, at: part.lowerBound, upTo: part.count)
    } catch {
      throw unreadable(error)
    }
  }

  func unreadable(_ error: SystemError) -> CommandError {
    .output("\(name): cannot read the earlier records: \(error)")
  }
}

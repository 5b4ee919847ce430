package import LqipFiles

/// An output whose records come in the order of their paths, read from its beginning to its end.
package final class SortedRecords {
  package let form: RecordForm

  private let name: FilePath
  private let file: FileDescriptor
  private var reader: RecordReader
  private var next: RecordReader.Entry?

  /// Opens an output.
  package init(_ name: FilePath) throws(CommandError) {
    self.name = name
    do {
      file = try FileDescriptor(opening: name, O_RDONLY)
      reader = try RecordReader(file.number)
    } catch {
      throw .input("\(name): cannot read: \(error)")
    }
    let isEmpty = (try? FileStatus(of: file.number))?.byteCount == 0
    guard let form = reader.form ?? (isEmpty ? RecordForm(.ndjson) : nil) else {
      throw .input("\(name) was not written by lqip encode")
    }
    self.form = form
    try advance()
  }

  /// The path of the next record; nil after the last.
  package var path: FilePath? {
    next?.path
  }

  /// Gives the bytes of the next record, as a layout writes them.
  package func entry(in layout: RecordLayout) throws(CommandError) -> [UInt8] {
    guard let entry = RecordEntry(text, form, in: layout) else { throw malformed }
    return entry.bytes
  }

  /// The names of the members of the next record.
  package var names: [String] {
    get throws(CommandError) {
      let text = text
      guard let members = try? form.members(of: text, text.indices) else { throw malformed }
      return members.map(\.name)
    }
  }

  /// Goes on to the record after the next.
  package func advance() throws(CommandError) {
    let last = path
    let piece: RecordReader.Piece?
    do {
      piece = try reader.next()
    } catch {
      throw .input("\(name): cannot read: \(error)")
    }
    switch piece {
    case .entry(let entry): next = entry
    case .rejected(let line, let bounds):
      let reason = isRecord(bounds) ? "record without a path" : "not a valid record"
      throw .input("\(name), line \(line): \(reason)")
    case nil: next = nil
    }
    if let last, let path, path.bytes.lexicographicallyPrecedes(last.bytes) {
      throw .input("\(name): not sorted by path: '\(path)' follows '\(last)'")
    }
  }

  /// Whether there is a record in a part of the file, if only it had a path.
  private func isRecord(_ bounds: Range<Int>) -> Bool {
    guard
      var text = try? FileDescriptor.read(
        file.number, at: bounds.lowerBound, upTo: bounds.count)
    else { return false }
    while let last = text.last, "\r\n".utf8.contains(last) { text.removeLast() }
    guard let members = try? form.members(of: text, text.indices) else { return false }
    let names = members.map(\.name)
    return !names.isEmpty && !names.contains("path")
      && names.allSatisfy(RecordLayout.memberNames.contains)
  }

  private var text: [UInt8] {
    next.map { reader.text(of: $0) } ?? []
  }

  private var malformed: CommandError {
    .input("\(name): malformed record\(path.map { " for \($0)" } ?? "")")
  }
}

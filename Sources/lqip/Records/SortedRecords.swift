package import LqipFiles

/// An output whose records come in the order of their paths, read from its beginning to its end.
package final class SortedRecords {
  package let form: RecordForm
  /// The path of the next record; nil after the last.
  package private(set) var path: FilePath?

  private let name: FilePath
  private let file: FileDescriptor
  private var reader: RecordReader
  private var place: (offset: Int, byteCount: Int) = (0, 0)

  /// Opens an output.
  package init(_ name: FilePath) throws(CommandError) {
    self.name = name
    do {
      file = try FileDescriptor(opening: name, O_RDONLY)
      reader = try RecordReader(file.number)
    } catch {
      throw .input("cannot read \(name): \(error)")
    }
    let isEmpty = (try? FileStatus(of: file.number))?.byteCount == 0
    guard let form = reader.form ?? (isEmpty ? RecordForm(.ndjson) : nil) else {
      throw .input("\(name) is no output of this program")
    }
    self.form = form
    try advance()
  }

  /// Takes the bytes of the next record, as a layout writes them.
  package func take(in layout: RecordLayout) throws(CommandError) -> [UInt8] {
    guard let entry = RecordEntry(try bytes(), form, in: layout) else { throw noRecord }
    try advance()
    return entry.bytes
  }

  /// Takes the names of the members of the next record.
  package func takeNames() throws(CommandError) -> [String] {
    let bytes = try bytes()
    guard let members = try? form.members(of: bytes, bytes.indices) else { throw noRecord }
    try advance()
    return members.map(\.name)
  }

  private func bytes() throws(CommandError) -> [UInt8] {
    do {
      return try FileDescriptor.read(file.number, at: place.offset, upTo: place.byteCount)
    } catch {
      throw .input("cannot read \(name): \(error)")
    }
  }

  private var noRecord: CommandError {
    .input("\(name): what should be the record of \(path.map { "\($0)" } ?? "") is none")
  }

  private func advance() throws(CommandError) {
    let piece: RecordReader.Piece?
    do {
      piece = try reader.next()
    } catch {
      throw .input("cannot read \(name): \(error)")
    }
    let last = path
    switch piece {
    case .entry(let entry):
      path = entry.path
      place = (entry.offset, entry.byteCount)
    case .rejected(let line, _): throw .input("\(name), line \(line): no record")
    case nil: path = nil
    }
    if let last, let path, path.bytes.lexicographicallyPrecedes(last.bytes) {
      throw .input("\(name): \(path) comes after \(last), so that it cannot be merged in order")
    }
  }
}

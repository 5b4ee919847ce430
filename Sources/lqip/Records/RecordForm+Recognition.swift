internal import LqipFiles

extension RecordForm {
  /// Whether an open file has records of this program, by the first of them that can be read.
  package static func isOutput(_ descriptor: Int32) -> Bool {
    guard var reader = try? RecordReader(descriptor), let form = reader.form else { return false }
    guard form.format != .csv else { return true }
    var isEmpty = true
    for _ in 0..<100 {
      guard let piece = try? reader.next() else { return isEmpty && form.format == .json }
      isEmpty = false
      let bounds =
        switch piece {
        case .entry(let entry): entry.offset..<(entry.offset + entry.byteCount)
        // Those without a path are no use to a later run, but records all the same.
        case .rejected(_, let bounds): bounds
        }
      let text = try? FileDescriptor.read(descriptor, at: bounds.lowerBound, upTo: bounds.count)
      guard let text, let members = try? form.members(of: text, text.indices) else { continue }
      return members.allSatisfy { RecordLayout.memberNames.contains($0.name) }
    }
    return false
  }
}

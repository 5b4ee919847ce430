/// The form in which records are written.
enum RecordFormat: String, CaseIterable, Sendable {
  case ndjson

  /// The bytes that stand for one record.
  func bytes(of record: PlaceholderRecord) -> [UInt8] {
    switch self {
    case .ndjson: record.json.bytes + [UInt8(ascii: "\n")]
    }
  }
}

/// An entry of an earlier output, to be added to another as it is.
struct RecordEntry: Hashable, Sendable {
  let key: RecordKey
  let bytes: [UInt8]
}

/// An entry of an earlier output, to be added to another as it is.
package struct RecordEntry: Hashable, Sendable {
  package let key: RecordKey
  package let bytes: [UInt8]

  package init(key: RecordKey, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }
}

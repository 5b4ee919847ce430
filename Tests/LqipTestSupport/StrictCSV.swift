/// A strict CSV parser: RFC 4180, section 2.
package struct StrictCSV {
  package struct Fault: Error {
    package let offset: Int
  }

  private enum State {
    case beforeField, plain, quoted, afterQuote, afterReturn
  }

  /// Returns the records of a file, each a list of fields.
  package static func records(_ file: [UInt8]) throws(Fault) -> [[[UInt8]]] {
    var records: [[[UInt8]]] = []
    var record: [[UInt8]] = []
    var field: [UInt8] = []
    var state = State.beforeField
    for (offset, byte) in file.enumerated() {
      switch (state, Character(Unicode.Scalar(byte))) {
      case (.beforeField, "\""): state = .quoted
      case (.quoted, "\""): state = .afterQuote
      case (.quoted, _): field.append(byte)
      case (.afterQuote, "\""):
        field.append(byte)
        state = .quoted
      case (.beforeField, ","), (.plain, ","), (.afterQuote, ","):
        record.append(field)
        field = []
        state = .beforeField
      case (.beforeField, "\r"), (.plain, "\r"), (.afterQuote, "\r"): state = .afterReturn
      case (.afterReturn, "\n"):
        records.append(record + [field])
        (record, field, state) = ([], [], .beforeField)
      case (.beforeField, let character), (.plain, let character):
        guard character != "\"", character != "\n" else { throw Fault(offset: offset) }
        field.append(byte)
        state = .plain
      default: throw Fault(offset: offset)
      }
    }
    guard state == .beforeField, record.isEmpty else { throw Fault(offset: file.count) }
    return records
  }
}

/// Comma-separated values, as RFC 4180 defines them.
enum CSV {
  static let lineEnd = Array("\r\n".utf8)
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")

  /// Whether a cell with this byte has to be in quotes.
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == quote || byte == comma || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }

  /// Joins cells to a row, without the end of its line.
  static func row(_ cells: [[UInt8]]) -> [UInt8] {
    var row: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { row.append(comma) }
      guard cell.contains(where: isSpecial) else {
        row += cell
        continue
      }
      row.append(quote)
      for byte in cell {
        if byte == quote { row.append(quote) }
        row.append(byte)
      }
      row.append(quote)
    }
    return row
  }
}

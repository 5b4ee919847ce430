import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct CSVCursorTests {
  private func cells(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    var cursor = CSVCursor(bytes, bytes.indices)
    var cells: [String] = []
    do throws(MalformedRecord) {
      while (try? cursor.finish()) == nil {
        let cell = CSVCursor.unquoted(bytes, try cursor.next())
        cells.append(String(decoding: cell, as: UTF8.self))
      }
      return cells
    } catch {
      return nil
    }
  }

  @Test(arguments: [
    ("", [""]), ("a", ["a"]), (",", ["", ""]), ("a,,b", ["a", "", "b"]),
    ("\"\"\"", nil), (#""a,b","""c""","""""""#, ["a,b", "\"c\"", "\"\""]),
    ("\"a\r\nb\",c", ["a\r\nb", "c"]), ("\"\"", [""]), ("a\"", nil), ("a\r", nil), ("a\nb", nil),
    ("\"a", nil), ("\"a\"b", nil), ("\"a\" ,b", nil), ("\"", nil),
  ])
  func `a row is read as it is written and not otherwise`(text: String, expected: [String]?) {
    #expect(cells(text) == expected)
  }

  @Test func `every row that is written is read`() throws {
    let alphabet = Array("a,\"\r\n".utf8)
    for number in 0..<3125 {
      let cell = [1, 5, 25, 125, 625].map { alphabet[number / $0 % 5] }
      let row = CSV.row([cell, cell])
      var cursor = CSVCursor(row, row.indices)
      #expect(Array(CSVCursor.unquoted(row, try cursor.next())) == cell)
      #expect(Array(CSVCursor.unquoted(row, try cursor.next())) == cell)
      try cursor.finish()
    }
  }

  @Test func `bytes that are not UTF-8 are refused`() throws {
    var cursor = CSVCursor([0x61, 0xFF], 0..<2)
    _ = try cursor.next()
    #expect(throws: MalformedRecord.self) { try cursor.finish() }
  }
}

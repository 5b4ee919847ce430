import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct CSVTests {
  private func row(_ cells: [String]) -> String {
    String(decoding: CSV.row(cells.map { Array($0.utf8) }), as: UTF8.self)
  }

  @Test func `only cells that need quotes have them`() {
    #expect(row(["a", "", " b ", "=1"]) == "a,, b ,=1")
    #expect(
      row(["a,b", "\"c\"", "d\ne", "f\r", "\""])
        == "\"a,b\",\"\"\"c\"\"\",\"d\ne\",\"f\r\",\"\"\"\"")
  }

  @Test func `every row survives an independent reader`() throws {
    let alphabet = Array("a,\"\r\n".utf8)
    let cells = (0..<3125).map { number in
      [1, 5, 25, 125, 625].map { alphabet[number / $0 % 5] }
    }
    let rows = stride(from: 0, to: cells.count, by: 25).map { Array(cells[$0..<($0 + 25)]) }
    #expect(try StrictCSV.records(rows.flatMap { CSV.row($0) + CSV.lineEnd }) == rows)
  }
}

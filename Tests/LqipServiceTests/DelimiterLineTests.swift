import PlaceholdersTestSupport
import Testing

@testable import LqipService

@Suite struct DelimiterLineTests {
  /// Returns start, end and last flag of each delimiter line, found by checking every offset.
  private static func lines(in body: [UInt8], _ delimiter: String) -> [[Int]] {
    let text = String(decoding: body, as: UTF8.self).unicodeScalars
    let scalars = Array(text)
    func has(_ part: String, at offset: Int) -> Bool {
      scalars.dropFirst(offset).starts(with: part.unicodeScalars)
    }
    var lines: [[Int]] = []
    for start in scalars.indices {
      let isFirst = start == 0 && has(String(delimiter.unicodeScalars.dropFirst(2)), at: 0)
      guard isFirst || has(delimiter, at: start) else { continue }
      var end = start + delimiter.unicodeScalars.count - (isFirst ? 2 : 0)
      let isLast = has("--", at: end)
      if isLast { end += 2 }
      end += scalars.dropFirst(end).prefix { $0 == " " || $0 == "\t" }.count
      if has("\r\n", at: end) {
        lines.append([start, end + 2, isLast ? 1 : 0])
      } else if isLast, end == scalars.count {
        lines.append([start, end, 1])
      }
    }
    return lines
  }

  private func form(_ boundary: String) throws -> MultipartForm {
    let type = "multipart/form-data; boundary=\"\(boundary)\""
    return try #require(try MultipartForm(contentType: type, maximumFileCount: 1))
  }

  @Test(arguments: ["Y", "YYa", "-", " Y"])
  func `the search finds the same lines as an exhaustive search`(boundary: String) throws {
    let form = try form(boundary)
    let delimiter = "\r\n--\(boundary)"
    var numbers = LCG(seed: 3)
    let pieces = [
      "\r", "\n", "-", "Y", "a", " ", "\t", "\r\n", "--", delimiter, "\(delimiter)\r\n",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 0...30, using: &numbers)
      let body = (0..<count).flatMap { _ in
        Array(pieces[Int.random(in: 0..<pieces.count, using: &numbers)].utf8)
      }
      var found: [[Int]] = []
      var position = 0
      while let line = form.delimiterLine(in: body.span, from: position) {
        found.append([line.start, line.end, line.isLast ? 1 : 0])
        // The CR LF at the end of a line may begin the next delimiter, unless the part has a header
        // section.
        let hasLineEnd = body[..<line.end].suffix(2) == [0x0D, 0x0A]
        position = max(hasLineEnd ? line.end - 2 : line.end, line.start + 1)
      }
      #expect(found == Self.lines(in: body, delimiter), "\(body)")
    }
  }

  @Test func `the search begins at the given position`() throws {
    let body = Array("--Y\r\n\r\n--Y\r\n\r\n--Y--".utf8)
    let form = try form("Y")
    #expect(form.delimiterLine(in: body.span, from: 0)?.end == 5)
    #expect(form.delimiterLine(in: body.span, from: 6)?.isLast == true)
    #expect(form.delimiterLine(in: body.span, from: body.count) == nil)
  }
}

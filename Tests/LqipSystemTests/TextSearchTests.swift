import Foundation
import Testing

@testable import LqipSystem

@Suite struct TextSearchTests {
  @Test(
    arguments: ["", "a", "ab", "aab", "abab", "xaabay", "äabä", "aaaa"], ["a", "ab", "aab", "ä"])
  func `splitting, replacing and searching agree with Foundation`(text: String, part: String) {
    #expect(text.parts(separatedBy: part) == text.components(separatedBy: part))
    let replaced: String = text.replacing(part, with: "<>")
    #expect(replaced == text.replacingOccurrences(of: part, with: "<>"))
    #expect(text.includes(part) == (text.range(of: part) != nil))
  }

  @Test func `a range found in a slice has the indices of the slice`() {
    let bytes = Array("..abc".utf8)[1...]
    #expect(bytes.firstRange(of: Array("bc".utf8)) == 3..<5)
    #expect(bytes.firstRange(of: Array("bcd".utf8)) == nil)
    #expect(Array("a".utf8).firstRange(of: Array("aa".utf8)) == nil)
  }
}

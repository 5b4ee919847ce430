import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// `decode` with several strings, as arguments or from standard input.
@Suite struct DecodeListTests {
  private static let blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
  private static let thumbHash = "EfghDwQI9wiIh4hwj3CI+AiIgIAI94cP"
  private static let tiny = "wdQjMglyx8HIoB7tXQ8VOHOqFcJT1eis"
  private static let strings = [blurHash, "#ccd94c11", thumbHash, "192900", "-109085", tiny]
  private static let kinds = ["blurhash", "lqip", "thumbhash", "css", "css", "tiny"]
  private let directory = TemporaryDirectory()

  @Test func `images decoded from strings of every kind are written to a directory`() throws {
    let output = directory.file("previews")
    let run = try Program(["decode", "-o", output, "--width=9"] + Self.strings)
    #expect(run.status == 0, "\(run.errors)")
    for (index, (string, kind)) in zip(Self.strings, Self.kinds).enumerated() {
      let file = try Data(contentsOf: URL(fileURLWithPath: "\(output)/\(index + 1).png"))
      let single = try Program("decode", string, "--width=9", "--kind", kind)
      #expect(single.status == 0 && Array(file) == single.output)
    }
    // A second run replaces the files of the first.
    #expect(try Program(["decode", "-o", output] + Self.strings).status == 0)
  }

  @Test func `strings from standard input are written as data URLs, one per line`() throws {
    let run = try Program(
      "decode", "-", "--data-url", "--width=5",
      input: Self.strings.joined(separator: "\n") + "\n")
    #expect(run.status == 0, "\(run.errors)")
    let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == Self.strings.count)
    for (line, string) in zip(lines, Self.strings) {
      let data = Data(base64Encoded: String(line.dropFirst("data:image/png;base64,".count)))
      #expect(data.map { Array($0) } == (try Program("decode", string, "--width=5")).output)
    }
  }

  @Test func `an empty line produces no image but is counted`() throws {
    let list = "#ccd94c11\r\n\n#ccd94c11\n"
    let output = directory.file("previews")
    #expect(try Program("decode", "-", "--width=5", "-o", output, input: list).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == ["1.png", "3.png"])
    let lines = try Program("decode", "-", "--width=5", "--data-url", input: list).output
    let parts = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    #expect(parts.count == 4 && parts[1].isEmpty && parts[3].isEmpty && parts[0] == parts[2])
  }

  @Test func `a malformed line is reported with its number and a truncated quote`() throws {
    let long = String(repeating: "z", count: 100_000)
    let run = try Program("decode", "-", "--data-url", input: "#ccd94c11\n\n\(long)\n")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("lqip: standard input, line 3: unknown placeholder 'zzz"))
    #expect(run.errors.utf8.count < 400)
  }

  @Test func `standard input can be read only once and must not be empty`() throws {
    #expect(try Program("decode", "-", "-", "--data-url").status == 2)
    let empty = try Program("decode", "-", "--data-url")
    #expect(empty.status == 4)
    #expect(empty.errors == "lqip: standard input: empty\n")
  }

  @Test func `an overlong line ends the list`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "z"), count: 3 << 20)
    let run = try Program(["decode", "-", "--data-url"], bytes: "#ccd94c11\n".utf8 + long)
    #expect(run.status == 4)
    #expect(run.errors == "lqip: standard input, line 2: too long for a placeholder\n")
    #expect(run.lines.count == 1)
  }

  private static let list = "#ccd94c11\nbad\n#ccd94c1\n#47d37520\n"
  private static let messages = ["unknown placeholder 'bad'", "malformed LQIP '#ccd94c1': "]

  @Test func `a malformed string does not affect other images`() throws {
    let output = directory.file("previews")
    let fromInput = try Program("decode", "-", "--width=5", "-o", output, input: Self.list)
    #expect(fromInput.status == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == ["1.png", "4.png"])
    let lines = fromInput.errors.split(separator: "\n")
    #expect(lines.count == 2)
    for (number, (line, message)) in zip(2..., zip(lines, Self.messages)) {
      #expect(line.hasPrefix("lqip: standard input, line \(number): \(message)"))
    }
  }

  @Test
  func `a malformed string produces an empty line, and such an output can be replaced`()
    throws
  {
    let output = directory.file("urls.txt")
    let list = "bad\n" + Self.list
    for _ in 0..<2 {
      let run = try Program("decode", "-", "--data-url", "--width=5", "-o", output, input: list)
      #expect(run.status == 1)
      #expect(run.errors.split(separator: "\n").count == 3, "\(run.errors)")
    }
    let lines = try directory.text(of: "urls.txt").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.map(\.isEmpty) == [true, false, true, true, false, true])
    let empty = directory.file("none.txt")
    for _ in 0..<2 {
      let run = try Program("decode", "-", "--data-url", "-o", empty, input: "bad\n")
      #expect(run.status == 1, "an output without images can be replaced, too")
    }
  }

  @Test func `a string that does not support --punch is reported with its line number`() throws {
    let run = try Program(
      "decode", "-", "--data-url", "--punch=2", input: "#ccd94c11\n\(Self.blurHash)\n")
    #expect(run.status == 1)
    #expect(run.lines.count == 1)
    #expect(
      run.errors.hasPrefix("lqip: standard input, line 1: 'punch' applies to BlurHash only, "))
  }
}

import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import Placeholders
@testable import lqip

@Suite struct DecodeCommandTests {
  private let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The size that the header of a PNG gives.
  private func size(_ png: [UInt8]) -> [Int]? {
    guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
    return [16, 20].map { png[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test func `either string becomes a PNG`() throws {
    for string in [hash, "#ccd94c11"] {
      let run = try Program("decode", string, "--width=10", "--height=7")
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(size(run.output) == [10, 7])
    }
  }

  @Test func `a side that is not given follows from the string`() throws {
    #expect(size(try Program("decode", hash).output) == [256, 192])
    #expect(size(try Program("decode", hash, "--height", "30").output) == [40, 30])
    #expect(size(try Program("decode", "#ccd94c11").output) == [256, 256])
    #expect(size(try Program("decode", "#ccd94c11", "--width", "9").output) == [9, 9])
  }

  @Test func `the largest promised preview works`() throws {
    let run = try Program("decode", hash, "--width", "1024", "--height", "1024")
    #expect(size(run.output) == [1024, 1024])
  }

  @Test func `the output file is the same image`() throws {
    let file = directory.file("preview.png")
    #expect(try Program("decode", hash, "-o", file).status == 0)
    let written = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(Array(written) == (try Program("decode", hash)).output)
  }

  @Test(arguments: ["", "L", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "#ccd94c1", "#ccd94c1g", "é"])
  func `a malformed string has its reason and no output`(string: String) throws {
    let run = try Program("decode", string, "-o", directory.file("preview.png"))
    #expect(run.status == 1)
    let kind = string.hasPrefix("#") ? "LQIP" : "BlurHash"
    #expect(run.errors.hasPrefix("lqip: malformed \(kind) '\(string)': "))
    #expect(try directory.names.isEmpty)
  }

  @Test(arguments: [
    "--width=0", "--width=4097", "--height=-1", "--height=4096", "--punch=0", "--punch=0x1p1",
    "--punch=nan",
    "--kind=jpeg",
  ])
  func `a wrong command line is exit code 2`(argument: String) throws {
    let run = try Program("decode", hash, argument)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasSuffix("\nTry 'lqip decode --help'.\n"))
  }
}

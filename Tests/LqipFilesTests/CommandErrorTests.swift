import Foundation
import Testing

@testable import LqipFiles

@Suite struct CommandErrorTests {
  @Test func `a message goes on, whatever it is about`() {
    #expect(CommandError.usage("a").adding("; b") == .usage("a; b"))
    #expect(CommandError.failed("a").adding("; b") == .failed("a; b"))
    #expect(CommandError.input("a").adding("; b") == .input("a; b"))
    #expect(CommandError.output("a").adding("; b") == .output("a; b"))
    #expect(CommandError.outputClosed.adding("; b") == .outputClosed)
  }

  @Test func `a closed pipe is no refusal to write`() {
    #expect(CommandError.writing("a", .brokenPipe) == .outputClosed)
    #expect(
      CommandError.writing("a", .inputOutput) == .output("a: cannot write: Input/output error"))
  }

  @Test func `what cannot be made beside a file is told from the file`() throws {
    let before = try FileStatus(of: FilePath("/"), followsLinks: false)
    for number in [EACCES, EPERM, EROFS] {
      let error = SystemError(number: number)
      #expect(
        CommandError.writing("a", over: before, error)
          == .output(
            "a: cannot write: cannot create a temporary file in its directory: \(error)"))
      #expect(CommandError.writing("a", over: nil, error) == .writing("a", error))
    }
    #expect(CommandError.writing("a", over: before, .inputOutput) == .writing("a", .inputOutput))
  }
}

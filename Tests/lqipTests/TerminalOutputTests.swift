@testable import lqip

#if os(Linux)
import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// What the program does where `script` gives it a terminal.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
struct TerminalOutputTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The lines that are left on the screen after an image was encoded.
  private func screen(_ options: String...) throws -> [Substring] {
    let file = try directory.write("a.png")
    let command =
      ([Program.executable.path, "encode", file, "-o", directory.file("out")] + options)
      .joined(separator: " ")
    let run = try Shell.bash.run(arguments: ["-c", "script -qec '\(command)' /dev/null"])
    #expect(run.status == 0)
    // A slow machine may have drawn a line, which was erased.
    let drawn = run.lines.joined().split(separator: "\r\u{1B}[K").last ?? ""
    return drawn.split(separator: "\r\n")
  }

  @Test func `on a terminal the counts are printed even if nothing failed`() throws {
    #expect(try screen().last?.hasPrefix("lqip: 1 encoded, 0 failed in ") == true)
    #expect(try screen("--quiet") == [])
  }

  @Test func `a missing directory is one line there too`() throws {
    let missing = directory.file("missing")
    let command = "\(Program.executable.path) encode \(missing) -o \(directory.file("out"))"
    let run = try Shell.bash.run(arguments: ["-c", "script -qec '\(command)' /dev/null"])
    #expect(run.status == 4)
    #expect(
      run.lines.map { $0.trimmingCharacters(in: .newlines) } == [
        "lqip: \(missing): No such file or directory"
      ])
  }

  @Test func `a server prints a URL there and logs text`() throws {
    let screen = directory.file("screen")
    let program = try RunningProgram(
      ["serve", "--listen", "127.0.0.1:0"],
      // A shell that stays would end by the signal itself.
      through: ["/bin/sh", "-c", "exec script -qefc \"exec $*\" \(screen)", "sh"])
    let text = {
      try String(decoding: Data(contentsOf: URL(fileURLWithPath: screen)), as: UTF8.self)
    }
    var port: UInt16?
    try RunningProgram.wait {
      let url = /lqip: listening on http:\/\/127\.0\.0\.1:(\d+)\/ \(stop with Ctrl-C\)/
      port = try? text().firstMatch(of: url).flatMap { UInt16($0.1) }
      return port != nil
    }
    let client = try RawClient(port: try #require(port))
    client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.answer().status == 200)
    try RunningProgram.wait { try text().contains(" GET /healthz 200 ") }
    #expect(!(try text().contains("{")))
    // The terminal turns the character into SIGINT.
    try program.send(["\u{3}"])
    #expect(try program.status() == 0)
  }
}
#endif

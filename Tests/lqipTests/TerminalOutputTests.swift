@testable import lqip

#if os(Linux)
import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// The behavior of the program on a terminal, which `script` provides.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
struct TerminalOutputTests {
  private let directory = TemporaryDirectory()

  /// Returns the lines on the screen after an image was encoded.
  private func screen(_ options: String...) throws -> [Substring] {
    let file = try directory.write("a.png")
    let command =
      ([Program.executable.path, "encode", file, "-o", directory.file("out")] + options)
      .joined(separator: " ")
    let run = try Shell.bash.run(arguments: ["-c", "script -qec '\(command)' /dev/null"])
    #expect(run.status == 0)
    // On a slow machine, a progress line may have been drawn and erased.
    let drawn = run.lines.joined().split(separator: "\r\u{1B}[K").last ?? ""
    return drawn.split(separator: "\r\n")
  }

  @Test func `on a terminal, the summary is printed even if nothing failed`() throws {
    #expect(try screen().last?.hasPrefix("lqip: 1 encoded, 0 failed in ") == true)
    #expect(try screen("--quiet") == [])
  }

  @Test func `on a terminal, a missing directory is reported in one line`() throws {
    let missing = directory.file("missing")
    let command = "\(Program.executable.path) encode \(missing) -o \(directory.file("out"))"
    let run = try Shell.bash.run(arguments: ["-c", "script -qec '\(command)' /dev/null"])
    #expect(run.status == 4)
    #expect(
      run.lines.map { $0.trimmingCharacters(in: .newlines) } == [
        "lqip: \(missing): No such file or directory"
      ])
  }

  @Test func `on a terminal, a server prints its URL and logs in text format`() throws {
    let screen = directory.file("screen")
    let program = try RunningProgram(
      ["serve", "--listen", "127.0.0.1:0"],
      // Without `exec`, the signal would end the shell, too.
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
    #expect(try client.response().status == 200)
    try RunningProgram.wait { try text().contains(" GET 127.0.0.1 /healthz 200 ") }
    #expect(!(try text().contains("{")))
    // The terminal translates this character to SIGINT.
    try program.send(["\u{3}"])
    #expect(try program.status() == 0)
  }
}
#endif

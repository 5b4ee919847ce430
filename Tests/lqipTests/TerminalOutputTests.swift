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

  /// What is left on the screen after an image and an empty directory were encoded.
  private func screen(_ option: String) throws -> [Substring] {
    let file = try directory.write("a.png")
    let empty = try directory.makeDirectory("e")
    let command = [
      Program.executable.path, "encode", option, file, empty, "-o", directory.file("out"),
    ].joined(separator: " ")
    let run = try Shell.bash.run(arguments: ["-c", "script -qec '\(command)' /dev/null"])
    #expect(run.status == 4)
    // A slow machine may have drawn a line, which was erased.
    let drawn = run.lines.joined().split(separator: "\r\u{1B}[K").last ?? ""
    return drawn.split(separator: "\r\n")
  }

  @Test func `on a terminal the counts are told even if nothing failed`() throws {
    for option in ["--progress=auto", "--progress=always"] {
      let last = try screen(option).last
      #expect(last?.hasPrefix("lqip: 1 encoded, 0 failed in ") == true)
    }
  }

  @Test func `silence is kept there too, except about what is wrong`() throws {
    let found = "lqip: \(directory.file("e")): no images found; --allow-empty if that is right"
    #expect(try screen("--quiet") == [found[...]])
  }
}
#endif

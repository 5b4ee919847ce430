import Foundation
import LqipTestSupport
import PlaceholdersTestSupport

/// A directory with sample images in which code blocks run with the built program on `PATH`.
final class DocumentationSandbox {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let directory = TemporaryDirectory()
  private var server: ServingProgram?

  init() throws {
    let (photo, logo) = try (
      Fixtures.bytes("jpeg-progressive.jpg"), Fixtures.bytes("png-rgba-8-bit.png")
    )
    for name in [
      "photo.jpg", "one.jpg", "photos/a.jpg", "photos/b/c.jpg", "public/images/hero.jpg",
      "static/images/hero.jpg", "images/hero.jpg",
    ] {
      try directory.write(name, photo)
    }
    for name in ["two.png", "logo.png", "photos/logo.png"] { try directory.write(name, logo) }
    try directory.write("public/index.html", Array("<img src=images/hero.jpg>".utf8))
    _ = try directory.makeDirectory("bin")
    try directory.link("bin/lqip", to: Program.executable.path)
    // By default, curl exits with 0 even if the response is an error.
    if let curl = Self.path(of: "curl") {
      let script = "#!/bin/sh\nexec \(curl) --fail-with-body --silent --show-error \"$@\"\n"
      let file = try directory.write("bin/curl", Array(script.utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
  }

  /// Returns whether the sandbox can run a block; other tests run Swift and browser code.
  static func canRun(_ block: CodeBlock) -> Bool {
    interpreter(of: block) != nil
  }

  private static func interpreter(of block: CodeBlock) -> String? {
    switch block.language {
    case "sh": "bash"
    case "python": "python3"
    case "js" where block.name.hasSuffix(".mjs"): "node"
    default: nil
    }
  }

  /// Optional programs; blocks that need a missing one are skipped.
  private static let optional = ["node", "parallel"]

  /// Runs a block; throws `Failure` if its exit status is not 0.
  func run(_ block: CodeBlock) throws {
    guard let interpreter = Self.interpreter(of: block) else { return }
    let missing = Self.optional.filter {
      (interpreter == $0 || block.text.contains(" \($0) ")) && Self.path(of: $0) == nil
    }
    guard missing.isEmpty else {
      print("skipped \(block.page):\(block.line): missing \(missing.joined(separator: ", "))")
      return
    }
    let name = block.name.contains(".") ? block.name : "block.\(block.language)"
    let file = try directory.write(name, Array(try withServerAddress(block.text).utf8))
    let options = interpreter == "bash" ? ["-euo", "pipefail"] : []
    let run = try Program(
      options + [file], of: interpreter,
      environment: ["PATH": "\(directory.file("bin")):\(Self.searchPath)", "NO_COLOR": "1"],
      directory: directory.path)
    guard run.status == 0 else {
      throw Failure(
        description: "\(block.page):\(block.line) exited with \(run.status):\n"
          + String(decoding: run.output, as: UTF8.self) + run.errors)
    }
  }

  /// Returns the text with the default address replaced by that of a running server.
  private func withServerAddress(_ text: String) throws -> String {
    let address = "127.0.0.1:8080"
    guard text.contains(address) else { return text }
    let server = try self.server ?? ServingProgram()
    self.server = server
    return text.replacing(address, with: "127.0.0.1:\(server.port)")
  }

  /// Returns whether a program is on `PATH`.
  static func hasTool(_ name: String) -> Bool {
    path(of: name) != nil
  }

  private static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

  private static func path(of program: String) -> String? {
    searchPath.split(separator: ":").map { "\($0)/\(program)" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }
}

import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// The chat in Examples/chat on a local port, whose pictures wait until they are released.
final class ChatServer {
  /// Holds all pictures until a line arrives on standard input, and then delays each by up to 0.3 seconds.
  private static let script = """
    import random, sys, threading, time
    sys.path.insert(0, sys.argv.pop(1))
    import chat
    held, respond = threading.Event(), chat.Handler.respond
    def delayed(handler, body, status=200, kind="application/json"):
        if kind != "application/json":
            held.wait()
            time.sleep(random.Random(handler.key).uniform(0, .3))
        respond(handler, body, status, kind)
    chat.Handler.respond = delayed
    threading.Thread(target=lambda: sys.stdin.readline() and held.set(), daemon=True).start()
    chat.main()
    """

  let url: String
  private let process = Process()
  private let input = Pipe()

  /// Starts the chat with options of chat.py, on any port unless they name one.
  ///
  /// Messages, and an editable copy of the page in the folder `page`, are in `directory`.
  ///
  /// - Throws: An error if the server cannot be started.
  init(
    _ arguments: [String], in directory: TemporaryDirectory, edits: [String: String] = [:]
  ) throws {
    let example = Fixtures.repository.appendingPathComponent("Examples/chat").path
    for name in try FileManager.default.contentsOfDirectory(atPath: example)
    where name != "__pycache__" {
      var text = try String(contentsOfFile: "\(example)/\(name)", encoding: .utf8)
      for (old, new) in edits where name == "chat.css" {
        try #require(text.contains(old))
        text = text.replacing(old, with: new)
      }
      try directory.write("page/\(name)", Array(text.utf8))
    }
    for name in try BrowserPackage.names {
      try directory.write("lqip/\(name)", try BrowserPackage.bytes(of: name))
    }
    try directory.write("lqip/lqip.css", Array(LQIP.stylesheet.utf8))
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", "-u", "-c", Self.script, directory.file("page"), "--port=0"]
      + ["--data=\(directory.path)"] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    url = try #require(line.split(separator: "\n").first.map(String.init), "no server")
  }

  deinit { stop() }

  /// Lets the pictures load.
  func release() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
  }

  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

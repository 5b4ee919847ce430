import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Runs of `encode` that end with a signal.
@Suite struct EncodeInterruptionTests: RecoverySuite {
  let directory = TemporaryDirectory()
  let images: [String]

  init() throws {
    images = try Self.makeImages(in: directory)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["--quiet"]])
  func `a signal ends an update with the records finished so far`(
    signal: Int32, options: [String]
  ) throws {
    let program = try begin(images.prefix(150), ["--update"] + options, untilLines: 100)
    program.send(signal: signal)
    #expect(try program.status() == 128 + signal)
    // On a busy machine, progress lines may precede the message.
    let message =
      "lqip: interrupted: \(directory.file("out.ndjson")) contains the records finished so far; run "
      + "the command again to continue\n"
    #expect(try program.errors.contains(message))
    if options.isEmpty {
      #expect(try program.errors.contains(", 1 failed (1 unsupported_format), partial in "))
    } else {
      #expect(try program.errors == message)
    }
    let kept = try lines("out.ndjson")
    #expect(100...150 ~= kept.count)
    #expect(try hiddenNames == [])
    #expect(try counts() == counts(reusing: Set(images.prefix(kept.count))))
    #expect(try lines("out.ndjson").prefix(kept.count) == kept[...])
    try checkComplete()
  }

  @Test func `an interrupted update keeps the records of files that it did not reach`() throws {
    _ = try counts()
    let before = try lines("out.ndjson")
    for index in [0, 120, 200] {
      try directory.write("images/\(100 + index).png", TemporaryDirectory.png + [0])
    }
    try directory.settle()
    let program = try begin(images.prefix(150), ["--update"], untilLines: 120)
    program.send(signal: SIGINT)
    #expect(try program.status() == 130)
    let after = try lines("out.ndjson")
    try #require(after.count == 300)
    #expect(after[0] != before[0])
    for index in before.indices where ![0, 120].contains(index) {
      #expect(after[index] == before[index])
    }
    // The second changed file may have been in flight.
    let remaining = after[120] == before[120] ? 2 : 1
    #expect(try counts() == "\(remaining) encoded, \(298 - remaining) reused, \(Self.failed)")
    try checkComplete()
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted run without --update keeps the old output and a draft for an update`(
    signal: Int32
  ) throws {
    let output = directory.file("out.ndjson")
    _ = try Program("encode", "-o", output, images[299])
    let before = try directory.text(of: "out.ndjson")
    let program = try begin(images.prefix(150), untilLines: 100)
    program.send(signal: signal)
    #expect(try program.status() == 128 + signal)
    #expect(
      try program.errors.contains(
        "lqip: interrupted: \(output) is unchanged; --update resumes from the finished records in "
          + "\(directory.file(draft))\n"))
    #expect(try directory.text(of: "out.ndjson") == before)
    let known = try paths(in: draft).union([images[299]])
    #expect(known.count > 100)
    #expect(try counts() == counts(reusing: known))
    try checkComplete()
  }

  @Test(arguments: ["json", "csv"])
  func `an interrupted JSON or CSV run leaves no files`(format: String) throws {
    let program = try RunningProgram(arguments(to: "out.\(format)"))
    try program.send(images)
    try RunningProgram.wait { (try? directory.text(of: ".out.\(format).part"))?.isEmpty == false }
    program.send(signal: SIGINT)
    #expect(try program.status() == 130)
    let message = "lqip: interrupted: \(directory.file("out.\(format)")) is unchanged\n"
    #expect(try program.errors.contains(message))
    #expect(try directory.names == ["images"])
  }

  @Test func `interrupting an update after a killed run keeps the records of both runs`() throws {
    try kill(try begin(images.prefix(150), untilLines: 100))
    let known = try paths(in: draft)
    let program = try RunningProgram(arguments(["--update"]))
    try program.send(images.prefix(2))
    try RunningProgram.wait { try lineCount("out.ndjson") >= 100 }
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try paths(in: "out.ndjson") == known)
    #expect(try counts() == counts(reusing: known))
    try checkComplete()
  }

  @Test func `a signal that was ignored before the program started stays ignored`() throws {
    let program = try RunningProgram(
      arguments(["--update"]), through: ["/bin/sh", "-c", #"trap "" INT; exec "$@""#, "sh"])
    try program.send(images.prefix(100))
    try RunningProgram.wait { try lineCount(draft) > 0 }
    program.send(signal: SIGINT)
    try program.send(images.dropFirst(100))
    try RunningProgram.wait { try lineCount(draft) > 200 }
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try lines("out.ndjson").count > 200)
  }

  #if os(Linux)
  @Test(arguments: ["000.png", "250.png", "999.png"])
  func `a signal during a stalled read changes no record`(hanging: String) throws {
    let output = directory.file("out.ndjson")
    let command = ["encode", directory.file("images"), "-o", output]
    #expect(try Program(command).status == 1)
    let before = try directory.text(of: "out.ndjson")
    try directory.write("images/\(hanging)", TemporaryDirectory.png + [0])
    let log = try directory.write("log", [])
    let faults = try FaultyFiles()
    defer { withExtendedLifetime(faults) {} }
    let variables = faults.failing("hang", of: "/\(hanging)")
      .merging(faults.logging(to: log)) { $1 }.map { "\($0)=\($1)" }
    let program = try RunningProgram(
      command + ["--sandbox=off", "--update", "--timeout=600"],
      through: ["/usr/bin/env"] + variables)
    try RunningProgram.wait { try !directory.text(of: "log").isEmpty }
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try directory.text(of: "out.ndjson") == before)
    #expect(try hiddenNames == [])
  }
  #endif
}

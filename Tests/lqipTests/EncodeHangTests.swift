#if os(Linux)
import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Runs of `encode` on disks whose system calls never return, or that lose files during the run.
@Suite struct EncodeHangTests: RecoverySuite {
  let directory = TemporaryDirectory()
  let images: [String]
  private let faults: FaultyFiles

  init() throws {
    faults = try FaultyFiles()
    images = try Self.makeImages(in: directory)
  }

  private func arguments(_ options: String...) -> [String] {
    ["encode", "--sandbox=off", "--update", "-o", directory.file("out.ndjson")]
      + [directory.file("images")] + options
  }

  private func begin(_ variables: [String: String]) throws -> RunningProgram {
    try RunningProgram(
      arguments("--timeout=600"), through: ["/usr/bin/env"] + variables.map { "\($0)=\($1)" })
  }

  @Test func `a file whose opening hangs has a timeout record, and all others are encoded`() throws
  {
    let run = try Program(
      arguments("--timeout=0.5"), environment: faults.failing("hang-open", of: "/200.png"))
    #expect(run.status == 1)
    #expect(run.counts == "297 encoded, 3 failed (2 unsupported_format, 1 timeout)")
    #expect(try counts() == counts(reusing: Set(images).subtracting([images[100]])))
    try checkComplete()
  }

  @Test func `20 openings in a row that hang end the run, and the finished records are kept`()
    throws
  {
    let run = try Program(
      arguments("--timeout=0.1", "--jobs=1"), environment: faults.failing("hang-open", of: "5.png"))
    #expect(run.status == 1)
    #expect(run.counts?.contains("30 timeout") == true, "\(run.errors)")
    let stopped = try Program(
      arguments("--timeout=0.1", "--ignore-ctime").map { $0.replacing("out.", with: "new.") },
      environment: faults.failing("hang-open", of: ".png"))
    #expect(stopped.status == 4)
    #expect(
      stopped.errors.contains("stopped after 20 consecutive stalled reads from the same disk"))
  }

  @Test(arguments: [("hang-open", "/350.png"), ("hang", "/350.png")])
  func `SIGTERM ends a run with a hanging file, and its finished records are kept`(
    call: String, path: String
  ) throws {
    let program = try begin(faults.failing(call, of: path))
    try RunningProgram.wait { try lineCount(draft) >= 200 }
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
    let kept = try paths(in: "out.ndjson")
    #expect(200...250 ~= kept.count)
    #expect(try counts() == counts(reusing: kept))
    try checkComplete()
  }

  @Test(arguments: ["hang-open", "hang-list", "hang-stat"])
  func `SIGTERM ends a run whose directories hang, and its finished records are kept`(
    call: String
  ) throws {
    // In byte order, `images/` precedes `last`.
    let last = try directory.makeDirectory("last")
    try directory.write("last/a.png")
    let before = try Program(arguments())
    #expect(before.counts == "298 encoded, \(Self.failed)")
    try directory.write("images/100.png", TemporaryDirectory.png + [0])
    let variables = faults.failing(call, of: call == "hang-stat" ? "/399.png" : "/last")
    let program = try RunningProgram(
      arguments("--timeout=600") + [last],
      through: ["/usr/bin/env"] + variables.map { "\($0)=\($1)" })
    try RunningProgram.wait { try program.errors.contains("no response for 10 seconds") }
    #expect(
      try program.errors.contains(
        call == "hang-stat" ? "\(images[299]): no response" : "\(last): no response"))
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
    let lines = try lines("out.ndjson")
    #expect(lines.count == 300)
    #expect(try lines[0] != directory.text(of: "out.ndjson").split(separator: "\n")[1])
  }

  @Test func `SIGTERM ends a run that hangs before it starts`() throws {
    let program = try begin(faults.failing("hang-stat", of: "/images"))
    try RunningProgram.wait { try !directory.names.filter { $0.hasPrefix(".") }.isEmpty || true }
    usleep(200_000)
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
  }

  private static let other = "2 failed (2 unsupported_format)"

  @Test(arguments: [ENOENT, ESTALE])
  func `a file that vanishes during a run is counted, has no record, and keeps an earlier one`(
    error: Int32
  ) throws {
    let vanishing = faults.failing("open", of: "/200.png", with: error)
    let first = try Program(arguments(), environment: vanishing)
    #expect(first.counts == "297 encoded, \(Self.other), 1 skipped (1 vanished)")
    #expect(try paths(in: "out.ndjson").count == 299)
    _ = try counts()
    let before = try directory.text(of: "out.ndjson")
    try directory.setModified("images/200.png", 1_000_000_000)
    let second = try Program(arguments("--prune"), environment: vanishing)
    #expect(second.status == 1)
    #expect(second.counts == "0 encoded, 297 reused, \(Self.other), 1 skipped (1 vanished)")
    #expect(try directory.text(of: "out.ndjson") == before)
  }

  @Test(arguments: [("sub", ENOENT), ("sub", ESTALE), ("lost+found", EACCES)])
  func `records below a directory that vanished are not pruned, and the status is not 4`(
    name: String, error: Int32
  ) throws {
    try directory.write("images/\(name)/a.png")
    try directory.write("images/z.png")
    _ = try Program(arguments())
    try FileManager.default.removeItem(atPath: directory.file("images/z.png"))
    let run = try Program(
      arguments("--prune"), environment: faults.failing("open", of: "/\(name)", with: error))
    #expect(run.status == 1, "\(run.errors)")
    let reason = error == EACCES ? "unreadable" : "vanished"
    #expect(
      run.counts
        == "0 encoded, 298 reused, \(Self.other), 1 kept (not found), 1 dropped (not found), "
        + "1 skipped (1 \(reason))")
    #expect(try paths(in: "out.ndjson").contains(directory.file("images/\(name)/a.png")))
  }

  @Test func `a file without an image extension that cannot be opened is skipped`() throws {
    try directory.write("images/backup.key", [1, 2, 3])
    for index in [103, 350] {
      try FileManager.default.removeItem(atPath: directory.file("images/\(index).png"))
    }
    let run = try Program(
      arguments(), environment: faults.failing("open", of: "/backup.key", with: EACCES))
    #expect(run.status == 0)
    #expect(run.counts == "298 encoded, 0 failed, 1 skipped (1 unreadable)")
  }
}
#endif

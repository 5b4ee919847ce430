import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Records of missing files, which `encode --update` keeps and `--prune` drops.
@Suite struct EncodePruneTests {
  private let directory = TemporaryDirectory()
  private let before: String
  #if os(Linux)
  private let faults: FaultyFiles
  #endif

  init() throws {
    #if os(Linux)
    faults = try FaultyFiles()
    #endif
    for index in 0..<5 {
      try directory.write("d/\(index).png")
      try directory.write("d/sub/\(index)")
    }
    try directory.write("d/broken.png", [1])
    try directory.settle()
    let first = try Program("encode", "-o", directory.file("out.ndjson"), directory.file("d"))
    try #require(first.status == 1)
    before = try directory.text(of: "out.ndjson")
  }

  /// Runs an update and checks that no hidden files are left next to the output.
  private func update(
    _ options: [String] = [], input: String = "", _ environment: [String: String] = [:]
  ) throws -> Program {
    let sources = options.contains("-") ? [] : [directory.file("d")]
    let run = try Program(
      ["encode", "--sandbox=off", "--update", "-o", directory.file("out.ndjson")] + sources
        + options, input: input, environment: environment)
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
    return run
  }

  private var isUntouched: Bool {
    get throws { try directory.text(of: "out.ndjson") == before }
  }

  private func remove(_ names: String...) throws {
    for name in names { try FileManager.default.removeItem(atPath: directory.file(name)) }
  }

  private static let failed = "1 failed (1 unsupported_format)"

  @Test func `an update keeps and counts records of missing files, and --prune drops them`() throws
  {
    try remove("d/0.png", "d/sub/4")
    let kept = try update()
    #expect(kept.status == 1)
    #expect(kept.counts == "0 encoded, 8 reused, \(Self.failed), 2 kept (not found)")
    #expect(try isUntouched)
    let pruned = try update(["--prune"])
    #expect(pruned.counts == "0 encoded, 8 reused, \(Self.failed), 2 dropped (not found)")
    _ = try Program("encode", "-o", directory.file("new.ndjson"), directory.file("d"))
    #expect(try directory.text(of: "out.ndjson") == directory.text(of: "new.ndjson"))
  }

  @Test func `an update keeps the records below a mount point that became empty`() throws {
    try remove("d/sub")
    _ = try directory.makeDirectory("d/sub")
    let run = try update()
    #expect(run.status == 1)
    #expect(run.counts == "0 encoded, 5 reused, \(Self.failed), 5 kept (not found)")
    #expect(try isUntouched)
  }

  @Test(arguments: ["sub", "*.png", "*/3*"])
  func `records of files skipped by --exclude are kept until --prune`(pattern: String) throws {
    _ = try update(["--exclude", pattern])
    #expect(try isUntouched)
    let run = try update(["--exclude", pattern, "--prune", "--max-drop=100%"])
    #expect(run.errors.contains(" dropped") || pattern == "*.png")
    _ = try Program(
      "encode", "-o", directory.file("new.ndjson"), directory.file("d"), "--exclude", pattern)
    #expect(try directory.text(of: "out.ndjson") == directory.text(of: "new.ndjson"))
    #expect(try !isUntouched)
  }

  @Test func `a list that is cut short prunes nothing, unless --max-drop allows it`() throws {
    let list = directory.file("d/1.png")
    let refused = try update(["-", "--prune"], input: list)
    #expect(refused.status == 4)
    #expect(
      refused.errors.contains(
        "out.ndjson: nothing was pruned because 10 of 11 records would be dropped; to allow this, pass "
          + "--max-drop=10\n"))
    #expect(refused.counts == "0 encoded, 1 reused, 0 failed, 10 kept (not found)")
    #expect(try isUntouched)
    for limit in ["9", "90%"] {
      #expect(try update(["-", "--prune", "--max-drop=\(limit)"], input: list).status == 4)
      #expect(try isUntouched)
    }
    let pruned = try update(["-", "--prune", "--max-drop=10"], input: list)
    #expect(pruned.status == 0)
    #expect(pruned.counts == "0 encoded, 1 reused, 0 failed, 10 dropped (not found)")
    #expect(try directory.text(of: "out.ndjson").split(separator: "\n").count == 1)
  }

  @Test func `a damaged record is reported with its line, and its file is encoded again`() throws {
    var bytes = Array(before.utf8)
    let lines = before.split(separator: "\n")
    let start = lines[0].utf8.count + 100
    for index in start..<start + 50 { bytes[index] = 0 }
    try directory.write("out.ndjson", bytes)
    let export = try Program("export", directory.file("out.ndjson"))
    #expect(export.status == 4)
    #expect(
      export.errors
        == "lqip: \(directory.file("out.ndjson")), line 2: damaged: not an lqip record, contains control characters\n"
    )
    let run = try update()
    #expect(
      run.errors.contains(
        "out.ndjson, line 2: damaged: not an lqip record, contains control characters; the record is skipped\n"
      ))
    #expect(run.counts == "1 encoded, 9 reused, \(Self.failed)")
    #expect(try isUntouched)
  }

  @Test
  func `with --ignore-ctime, an update reuses records whose files only changed their metadata`()
    throws
  {
    for index in 0..<5 { #expect(unsafe chmod(directory.file("d/\(index).png"), 0o600) == 0) }
    let run = try update(["--ignore-ctime"])
    #expect(run.counts == "0 encoded, 10 reused, \(Self.failed)")
    #expect(try isUntouched)
    try directory.setModified("d/0.png", 1_000_000_000)
    try directory.write("d/1.png", TemporaryDirectory.png + [0])
    try directory.settle()
    #expect(try update(["--ignore-ctime"]).counts == "2 encoded, 8 reused, \(Self.failed)")
    #expect(try update().counts == "3 encoded, 7 reused, \(Self.failed)")
  }

  @Test func `files in formats that are not decoded are counted by format`() throws {
    try directory.write("d/a.jxl", [1, 2, 3])
    try directory.write("d/attachment", Array("\0\0\0\u{0C}JXL \r\n\u{07}\n".utf8))
    try directory.write("d/b", [0xFF, 0xD8, 0, 0])
    try directory.write("d/c.tiff", [1])
    try directory.write("d/notes.txt", Array("text".utf8))
    let run = try Program("encode", directory.file("d"))
    #expect(run.counts == "10 encoded, \(Self.failed), 3 skipped (2 JPEG XL, 1 TIFF)")
    let page = directory.file("page.html")
    _ = try Program("gallery", directory.file("d"), "-o", page)
    #expect(
      try directory.text(of: "page.html").contains(
        "10 encoded, 1 failed, 3 skipped (2 JPEG XL, 1 TIFF)"))
  }

  @Test func `an update with a list of some files keeps all other records`() throws {
    let run = try update(["-"], input: directory.file("d/1.png"))
    #expect(run.status == 0)
    #expect(try isUntouched)
  }

  @Test(
    arguments: ["empty directory", "missing directory", "empty list"],
    [[], ["--update"], ["--update", "--prune"]])
  func `a run without images leaves the output unchanged`(source: String, options: [String]) throws
  {
    try remove("d")
    if source == "empty directory" { _ = try directory.makeDirectory("d") }
    let input = source == "empty list" ? "-" : directory.file("d")
    for output in ["out.ndjson", "none.ndjson"] {
      let run = try Program(["encode", "-o", directory.file(output), input] + options)
      #expect(run.status == 4)
      if source == "missing directory" {
        #expect(run.errors.contains("No such file or directory"))
      } else {
        #expect(run.errors == "lqip: no images found\n")
      }
    }
    #expect(try isUntouched)
    #expect(try directory.names.filter { $0 != "d" } == ["out.ndjson"])
  }

  @Test func `an update keeps records of files below a dangling symbolic link`() throws {
    try directory.write("disk/x.png")
    try directory.link("d/zz", to: "../disk")
    try directory.settle()
    _ = try update(["--follow"])
    let before = try directory.text(of: "out.ndjson")
    try remove("disk")
    let run = try update(["--follow"])
    #expect(
      run.counts
        == "0 encoded, 10 reused, \(Self.failed), 1 kept (not found), 1 skipped (1 dangling)")
    #expect(try directory.text(of: "out.ndjson") == before)
  }

  #if os(Linux)
  @Test(
    arguments: ["d", "d/sub"], [("open", EACCES), ("open", EIO), ("open", EMFILE), ("list", EIO)])
  func `an update drops no records if a directory cannot be listed`(
    name: String, fault: (call: String, error: Int32)
  ) throws {
    try remove("d/1.png")
    let variables = faults.failing(fault.call, of: "/\(name)", with: fault.error)
    for options in [[], ["--prune"]] {
      let run = try update(options, variables)
      #expect(run.status == 4)
      #expect(run.errors.contains("\(directory.file(name)): "))
      #expect(run.errors.contains("nothing was pruned") == (options != [] && name == "d/sub"))
      #expect(try isUntouched)
    }
  }

  @Test func `a run without --update writes records in byte order despite an unreadable directory`()
    throws
  {
    try directory.write("d/sub-1.png")
    try directory.settle()
    let arguments = [
      "encode", "--sandbox=off", "-o", directory.file("new.ndjson"), directory.file("d"),
    ]
    let variables = faults.failing("open", of: "/d/sub", with: EACCES)
    #expect(try Program(arguments, environment: variables).status == 4)
    let run = try Program(arguments + ["--update"])
    #expect(run.counts == "5 encoded, 6 reused, \(Self.failed)")
  }

  @Test(arguments: ["open", "read"], [EACCES, EIO, EMFILE])
  func `a transient error does not replace a record without an error`(
    call: String, error: Int32
  ) throws {
    try directory.setModified("d/2.png", 1_000_000_000)
    try remove("d/4.png")
    let run = try update([], faults.failing(call, of: "/d/2.png", with: error))
    #expect(run.status == 1)
    #expect(run.errors.contains("d/2.png: "))
    #expect(run.errors.contains("the earlier record was kept"))
    #expect(run.errors.contains("failed, record kept: "))
    #expect(try isUntouched)
  }

  @Test func `a stalled read is abandoned, and all other images are encoded`() throws {
    try directory.setModified("d/2.png", 1_000_000_000)
    try directory.setModified("d/3.png", 1_000_000_000)
    let run = try update(["--timeout=0.5"], faults.failing("hang", of: "/d/2.png"))
    #expect(run.status == 1)
    #expect(run.counts == "1 encoded, 8 reused, 2 failed (1 unsupported_format, 1 timeout)")
    let lines = try directory.text(of: "out.ndjson").split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines[2] == before.split(separator: "\n")[2])
    #expect(lines[3] != before.split(separator: "\n")[3])
  }

  @Test func `a stalled read of a single image is abandoned`() throws {
    let run = try Program(
      ["encode", "--sandbox=off", "--timeout=0.5", directory.file("d/2.png")],
      environment: faults.failing("hang", of: "/d/2.png"))
    #expect(run.status == 1)
    #expect(try run.codes == ["timeout"])
    #expect(run.lines[0].contains("reading took too long"))
  }
  #endif
}

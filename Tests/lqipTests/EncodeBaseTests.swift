import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

/// Paths that records have from a base on, and the URLs of a site that are made of them.
@Suite struct EncodeBaseTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Runs the program among the files of the test.
  private func run(_ arguments: String..., input: String = "") throws -> Program {
    try Program(["encode"] + arguments, input: input, directory: directory.path)
  }

  /// The keys of an object of records in their order, those that come twice too.
  private func keys(_ run: Program) -> [String] {
    run.lines.compactMap { $0.firstMatch(of: /^"([^"]*)":\{/).map { String($0.1) } }
  }

  @Test(
    arguments: [RecordProfile.next, .hugo, .eleventy],
    ["/none", "../none", "a/../../b", "./../b.png"])
  func `a path that leads out of the site is refused before anything is done`(
    profile: RecordProfile, path: String
  ) throws {
    let run = try run(path, "--profile=\(profile)", "-o", "out.json")
    #expect(run.status == 2)
    #expect(
      run.errors == """
        lqip: '\(path)' is outside the current directory, so '--profile \(profile)' cannot derive \
        its URL; pass --base with your web root
        Try 'lqip encode --help'.

        """)
    #expect(try directory.names.isEmpty)
  }

  @Test func `where there are no URLs, a path may lead anywhere`() throws {
    let image = try directory.write("a.png")
    _ = try directory.makeDirectory("b")
    #expect(try run(image, "--profile=next", "--fields=path,width").status == 0)
    #expect(try run(image, "--profile=mastodon").status == 0)
    #expect(try run("b/../a.png", "--profile=next", "--base=.").status == 0)
  }

  @Test func `a line of a list that leads out of the site is an image that failed`() throws {
    let image = try directory.write("a.png")
    let run = try run(
      "-", "--profile=next", "--format=ndjson", input: "\(image)\na.png\n../b.png\n")
    #expect(run.status == 1)
    #expect(try run.codes == ["unreadable", nil, "unreadable"])
    #expect(try run.records.map { $0["src"] as? String } == [nil, "/a.png", nil])
    #expect(run.lines[0].contains("no URL can be derived; pass --base with your web root"))
  }

  @Test(arguments: RecordFormat.allCases)
  func `a file that does not lie in the base is one that failed`(format: RecordFormat) throws {
    for name in ["p/a.png", "p/b.png", "p/x/p/a.png", "p/x/c.png"] { try directory.write(name) }
    try directory.write("p/text", Array("text".utf8))
    try directory.write("p/image")
    let run = try run("p", "--base=p/x", "--format=\(format)")
    #expect(run.status == 1)
    #expect(run.counts == "2 encoded, 3 failed (3 unreadable)")
    let text = String(decoding: run.output, as: UTF8.self)
    #expect(text.matches(of: /outside --base p\/x/).count == 3)
    let paths = ["./p/a.png", "./p/b.png", "./p/image", "c.png", "p/a.png"]
    switch format {
    case .ndjson: #expect(try run.paths == paths)
    case .json: #expect(keys(run) == paths)
    case .csv:
      let rows = text.split(whereSeparator: \.isNewline).dropFirst()
      #expect(rows.map { "\($0.split(separator: ",")[0])" } == paths)
    }
  }

  @Test(arguments: [(".", ".."), ("..", "p"), ("p/..", "p/../../q"), ("p/../q", "p")])
  func `an operand that has nothing to do with the base is refused however it is written`(
    path: String, base: String
  ) throws {
    try directory.write("a.png")
    let run = try run(path, "--base", base)
    #expect(run.status == 2)
    #expect(
      run.errors.hasPrefix("lqip: '\(path)' is outside --base '\(base)'\n"))
  }

  @Test func `a list and an archive have each file once, and those outside the base fail`() throws {
    for name in ["p/a.png", "b.png"] { try directory.write(name) }
    let list = "p/a.png\n./p//a.png\nq/../p/a.png\nb.png\n./b.png\n\(directory.file("b.png"))\n"
    let listed = try run("-", "--base=p", "--profile=next", input: list)
    #expect(listed.status == 1)
    #expect(keys(listed) == ["a.png", "./b.png", directory.file("b.png")])
    var archive = TarArchive()
    for name in ["./p/a.png", "b.png"] { archive.add(name.utf8) }
    try directory.write("t.tar", archive.closed)
    let archived = try run("--tar=t.tar", "--base=p", "--profile=next")
    #expect(archived.status == 1)
    #expect(archived.counts == "1 encoded, 1 failed (1 unreadable)")
    #expect(keys(archived) == ["a.png", "./b.png"])
  }

  @Test(arguments: RecordFormat.allCases, [[], ["--checksum"]])
  func `a record that is used again under another spelling has the URL of that`(
    format: RecordFormat, options: [String]
  ) throws {
    try directory.write("p/a.png")
    let options = options + ["--profile=next", "--format=\(format)", "--update"]
    for path in ["./p", "p", ".//p"] {
      let kept = try Program(
        ["encode", path, "-o", "kept"] + options, directory: directory.path)
      let fresh = try Program(
        ["encode", path, "-o", "fresh"] + options, directory: directory.path)
      #expect(kept.status == 0 && fresh.status == 0, "\(kept.errors)\(fresh.errors)")
      #expect(try directory.text(of: "kept") == directory.text(of: "fresh"))
      try FileManager.default.removeItem(atPath: directory.file("fresh"))
    }
  }
}

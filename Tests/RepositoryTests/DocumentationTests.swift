import Foundation
import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@Suite struct ReadmeTests {
  /// A command and its output in the README.
  private struct Sample {
    let arguments: [String]
    let output: String
  }

  /// Returns each line `    $ lqip …` of the README with the indented output below it.
  private func samples() throws -> [Sample] {
    let prompt = "    $ lqip "
    let lines = try Repository.lines(of: "README.md")
    return lines.indices.filter { lines[$0].hasPrefix(prompt) }.map { index in
      let shown = lines[(index + 1)...].prefix { $0.hasPrefix("    ") && !$0.hasPrefix("    $") }
      return Sample(
        arguments: lines[index].dropFirst(prompt.count).components(separatedBy: " "),
        output: shown.map { $0.trimmingCharacters(in: .whitespaces) }.joined())
    }
  }

  @Test func `each command in the README prints the output below it`() throws {
    let samples = try samples()
    try #require(samples.contains { $0.arguments.first == "encode" })
    for sample in samples {
      #expect(try Repository.run(Program.executable, sample.arguments) == sample.output)
    }
  }
}

extension ReadmeTests {
  /// The cell `characters` of each row in the table of kinds, such as `9`, `28–36` or `up to 400`.
  private func claims() throws -> [(kind: String, claim: String)] {
    try Repository.lines(of: "README.md")
      .drop { !$0.hasPrefix("| kind | characters |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
      .map { row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0].trimmingCharacters(in: ["`"]), cells[1])
      }
  }

  @Test func `the README states how many characters each kind takes in all fixtures`() throws {
    let claims = try claims()
    let kinds = PlaceholderKind.allCases.map(\.rawValue)
    #expect(claims.map(\.kind).sorted() == kinds.sorted())
    let run = try Program(
      "encode", "--quiet", Fixtures.directory.path, "--kinds", kinds.joined(separator: ","))
    let records = try run.records.filter { $0["error"] == nil }
    for (kind, claim) in claims {
      let lengths = try records.map { record in
        if let text = record[kind] as? String { return text.utf8.count }
        let value = try #require(record[kind])
        return try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed).count
      }
      let least = try #require(lengths.min())
      let most = try #require(lengths.max())
      let bounds = claim.components(separatedBy: "–").compactMap {
        Int($0.replacing("up to ", with: ""))
      }
      let isRange = bounds.count == 2 || !claim.hasPrefix("up to ")
      #expect(!isRange || [least, most] == [bounds.first, bounds.last], "\(kind): \(claim)")
      // Base64 has groups of four characters.
      #expect(most <= bounds.last ?? 0 && most > (bounds.last ?? 0) - 4, "\(kind): \(claim)")
    }
  }
}

/// Runs the code blocks of the documentation.
@Suite struct DocumentationTests {
  /// Blocks that cannot run in a test: the page, the beginning of the block and the reason.
  private static let exceptions: [(page: String, start: String, reason: String)] = [
    ("CONTRIBUTING.md", "make check", "builds and tests"),
    ("Documentation/large-collections.md", "parallel -S", "needs two hosts"),
    ("Documentation/library.md", "swift run", "needs a build; scripts/check-clients runs it"),
    ("Documentation/server.md", "lqip serve", "runs until stopped; ServeCommandTests runs it"),
    ("Packaging/README.md", "make build", "needs root and systemd"),
    ("Packaging/README.md", "sudo mkdir", "needs root and systemd"),
    ("Packaging/README.md", "sudo groupadd", "needs root and systemd"),
    ("Packaging/README.md", "sudo cp", "needs root and nginx"),
    ("Packaging/README.md", "curl --data-binary", "needs a host name and a certificate"),
    ("Packaging/README.md", "docker build", "needs a container engine"),
    ("Packaging/README.md", "docker compose", "needs a container engine"),
    ("Packaging/README.md", "docker load", "needs a container engine"),
    ("Examples/spark/README.md", "make build", "needs Spark; `make spark` runs it"),
    ("Examples/spark/README.md", "spark-submit", "needs a cluster and a store"),
  ]

  /// Languages whose blocks run in other tests, with the names of those tests.
  private static let others = [
    "css": "BrowserTests", "html": "BrowserTests", "js": "BrowserTests", "jsx": "BrowserTests",
    "swift": "scripts/check-snippets and scripts/check-clients", "vue": "BrowserTests",
  ]

  /// Languages without an interpreter on the test machines; `TinyPageTests` checks their constants.
  private static let unexecuted = ["go", "liquid", "php"]

  private static func isException(_ block: CodeBlock) -> Bool {
    exceptions.contains { $0.page == block.page && block.text.hasPrefix($0.start) }
  }

  @Test(arguments: CodeBlock.pages)
  func `every command in the documentation succeeds`(page: String) throws {
    let sandbox = try DocumentationSandbox()
    for block in try CodeBlock.all(in: page) where !Self.isException(block) {
      try sandbox.run(block)
    }
  }

  @Test func `every code block is covered by a test`() throws {
    for block in try CodeBlock.pages.flatMap(CodeBlock.all(in:)) {
      let isRun =
        DocumentationSandbox.canRun(block) || Self.others[block.language] != nil
        || Self.unexecuted.contains(block.language)
      #expect(isRun, "\(block.page):\(block.line)")
      if Self.others[block.language] == "BrowserTests" {
        let isRecipe = block.page == "Documentation/on-your-page.md" && !block.name.isEmpty
        #expect(isRecipe || DocumentationSandbox.canRun(block), "\(block.page):\(block.line)")
      }
    }
  }

  @Test func `every listed exception matches a code block`() throws {
    for (page, start, _) in Self.exceptions {
      let blocks = try CodeBlock.all(in: page)
      #expect(blocks.contains { $0.text.hasPrefix(start) }, "\(page): \(start)")
    }
  }

  /// If the sandbox ignored failing commands, the other tests would always pass.
  @Test(arguments: [
    "lqip encode missing.jpg >/dev/null", "lqip encode missing.jpg | cat",
    "curl http://127.0.0.1:8080/v1/missing", "false\ntrue",
  ])
  func `a failing command fails the documentation test`(command: String) throws {
    let block = CodeBlock(page: "README.md", line: 1, language: "sh", name: "", text: command)
    let sandbox = try DocumentationSandbox()
    #expect(throws: DocumentationSandbox.Failure.self) { try sandbox.run(block) }
  }

  @Test func `the README has at most 210 lines and 1,700 words`() throws {
    let lines = try Repository.lines(of: "README.md")
    #expect(lines.count <= 211)
    #expect(lines.joined(separator: " ").split(separator: " ").count <= 1700)
  }
}

/// The folder table in CONTRIBUTING.md.
@Suite struct FolderTableTests {
  /// Folders whose subfolders the table lists.
  private static let expanded = ["Sources", "Sources/lqip", "Tests"]
  /// Folders that git ignores.
  private static let ignored = ["demo"]

  private func folders(in path: String) throws -> [String] {
    let root = Repository.root.appendingPathComponent(path)
    return try FileManager.default.contentsOfDirectory(
      at: root, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map { path.isEmpty ? $0.lastPathComponent : "\(path)/\($0.lastPathComponent)" }
      .filter { !Self.ignored.contains($0) }
      .flatMap { Self.expanded.contains($0) ? try folders(in: $0) : [$0] }
  }

  @Test func `the folder table in CONTRIBUTING.md lists exactly the existing folders`() throws {
    let rows = try Repository.lines(of: "CONTRIBUTING.md")
      .drop { $0 != "| folder | contents |" }.prefix { $0.hasPrefix("|") }
    let listed = rows.compactMap { $0.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.1) } }
    #expect(listed.sorted() == (try folders(in: "").sorted()))
  }
}

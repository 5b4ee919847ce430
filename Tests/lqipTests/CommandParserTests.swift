import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem
@testable import PlaceholderEncoding

@Suite struct CommandParserTests {
  private func encode(_ arguments: String...) throws(UsageError) -> EncodeCommand? {
    guard case .run(let command) = try parse(EncodeCommand.self, arguments) else { return nil }
    return command
  }

  private func parse<Parsed: Command>(
    _ command: Parsed.Type, _ arguments: [String]
  ) throws(UsageError) -> CommandParser<Parsed>.Request {
    try CommandParser<Parsed>.parse(arguments.map { CommandArgument($0) }[...])
  }

  private func message(_ arguments: String...) -> String? {
    do {
      _ = try parse(EncodeCommand.self, arguments)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ["-oFILE", "p"], ["-o", "FILE", "p"], ["--output", "FILE", "p"], ["--output=FILE", "p"],
    ["p", "--output=FILE"], ["-oother", "p", "-oFILE"], ["--output=FILE", "--", "p"],
  ])
  func `an option value can be passed in every GNU form`(arguments: [String]) throws {
    let request = try parse(EncodeCommand.self, arguments)
    guard case .run(let command) = request else {
      Issue.record("no command")
      return
    }
    #expect(command.encoding.records.output.path == FilePath("FILE"))
    #expect(command.encoding.paths == [FilePath("p")])
  }

  @Test func `every argument after two dashes is an operand`() throws {
    #expect(
      try encode("--", "-x", "--", "--help")?.encoding.paths.map(\.description) == [
        "-x", "--", "--help",
      ])
    #expect(try encode("-")?.encoding.paths == [FilePath("-")])
  }

  @Test func `an option value may be a dash or a number, or contain an equals sign`() throws {
    #expect(try encode("--output=a=b", "p")?.encoding.records.output.path == FilePath("a=b"))
    #expect(try encode("--output", "-", "p")?.encoding.records.output.path == FilePath("-"))
    #expect(try encode("-j3", "p")?.encoding.jobs == 3)
    #expect(try encode("--timeout=0.5", "p")?.encoding.limits.timeout == .milliseconds(500))
  }

  @Test func `a request for help or the version takes precedence over later errors`() throws {
    guard case .help = try parse(EncodeCommand.self, ["--exact", "-h", "--wrong"]),
      case .help = try parse(EncodeCommand.self, ["--help"])
    else {
      Issue.record("no help")
      return
    }
    guard case .version = try parse(EncodeCommand.self, ["--version"]) else {
      Issue.record("no version")
      return
    }
  }

  @Test func `a usage error names the missing or invalid argument`() {
    #expect(message() == "missing argument PATH")
    #expect(message("") == "argument PATH is empty")
    #expect(message("--ouput=x", "p") == "unknown option '--ouput' (did you mean '--output'?)")
    #expect(
      message("--backgrnd", "p") == "unknown option '--backgrnd' (did you mean '--background'?)")
    #expect(message("--frobnicate", "p") == "unknown option '--frobnicate'")
    #expect(message("-x", "p") == "unknown option '-x'")
    #expect(message("--exact=1", "p") == "option '--exact' takes no value")
    #expect(message("p", "--output") == "option '--output' needs a value: --output FILE")
    #expect(message("p", "-o") == "option '-o' needs a value: -o FILE")
  }

  @Test func `an output with the extension of another format is rejected`() {
    let rule = "unsupported extension; use .ndjson, .jsonl, .json or .csv"
    #expect(message("p", "-o", "photo2.png") == "-o photo2.png: \(rule)")
    #expect(
      message("p", "--text=svg", "-o", "p.svg") == "-o p.svg: unsupported extension; use .txt")
    #expect(throws: UsageError.conflict("-o a.png: \(rule)")) {
      try parse(ExportCommand.self, ["a.ndjson", "-o", "a.png"])
    }
    #expect(throws: UsageError.conflict("-o a.png: unsupported extension; use .html or .htm")) {
      try parse(GalleryCommand.self, ["p", "-o", "a.png"])
    }
    #expect(throws: UsageError.conflict("-o a.html: unsupported extension; use .css")) {
      try parse(CSSCommand.self, ["-o", "a.html"])
    }
  }

  @Test(arguments: [
    ("--lqip=fited", "expected fitted, corners or six (did you mean 'fitted'?)"),
    ("--kinds=thumhash", "palette (did you mean 'thumbhash'?)"), ("--kinds=png", "css, palette"),
    ("--text=BlurHash", "(did you mean 'blurhash'?)"),
    ("--background=blak", "white or black (did you mean 'black'?)"),
  ])
  func `a mistyped value suggests a similar one`(argument: String, end: String) {
    let message = message(argument, "p")
    #expect(message?.hasSuffix(end) == true, "\(message ?? "")")
  }

  @Test(arguments: ["https://a.example/b.jpg", "HTTP://a.example/it's.jpg"])
  func `a URL is rejected`(url: String) {
    #expect(
      message(url) == "\(url): URLs are not supported; use: curl -L \(url) | lqip encode --stdin")
  }

  @Test(arguments: ["", "a:b", "99999", "8080", ":", "::1", "localhost", "/run/lqip.sock"])
  func `an incomplete listen address is rejected`(text: String) {
    let error = UsageError.invalidValue(
      text, option: "--listen", allowed: "HOST:PORT, with a PORT up to 65535, or unix:PATH")
    #expect(throws: error) { try parse(ServeCommand.self, ["--listen=\(text)"]) }
  }

  private static let counts = "a whole number from 1 to 17179869184, such as 50M"
  private static let seconds =
    "a number of seconds greater than 0 and at most 86400, such as 10, 500ms or 2m"
  private static let byteCounts = "a size of at most 1048576G, such as 500000, 64M or 20MB"

  @Test(arguments: [
    ("--jobs", "0", "a whole number from 1 to 1024"),
    ("--jobs", "+3", "a whole number from 1 to 1024"),
    ("--jobs", "", "a whole number from 1 to 1024"),
    ("--jobs", "99999999999999999999", "a whole number from 1 to 1024"),
    ("--components", "10x3", "auto, or two numbers from 1 to 9 joined by 'x', such as 4x3"),
    ("--components", "4", "auto, or two numbers from 1 to 9 joined by 'x', such as 4x3"),
    ("--background", "pink", "#rrggbb, #rgb, white or black"),
    ("--profile", "hugo", "plain, mastodon, matrix, activitypub or nostr"),
    ("--max-bytes", "9223372036854775807K", byteCounts), ("--max-bytes", "K", byteCounts),
    ("--max-bytes", "20 ", byteCounts), ("--max-bytes", "20  MB", byteCounts),
    ("--max-bytes", "1.5M", byteCounts), ("--max-bytes", "20Mb/s", byteCounts),
    ("--max-bytes", "0B", byteCounts), ("--max-bytes", "-1M", byteCounts),
    ("--max-bytes", "9223372036854775807", byteCounts), ("--max-bytes", "1048577G", byteCounts),
    ("--shard", "+1/1", "I/N with I from 1 to N, such as 1/8"),
    ("--timeout", "0", seconds),
    ("--timeout", "nan", seconds),
    ("--timeout", "0x1p3", seconds),
    ("--timeout", "inf", seconds), ("--timeout", "5x", seconds), ("--timeout", "ms", seconds),
    ("--timeout", "1441m", seconds), ("--max-pixels", "18G", counts), ("--max-pixels", "M", counts),
  ])
  func `an invalid value reports the allowed values`(option: String, value: String, allowed: String)
  {
    #expect(
      message("\(option)=\(value)", "p")
        == "invalid value '\(value)' for '\(option)': expected \(allowed)")
  }

  @Test(arguments: [
    ("500000", 500_000), ("500B", 500), ("2k", 2048), ("20M", 20 << 20), ("20MiB", 20 << 20),
    ("20 MiB", 20 << 20), ("20MB", 20_000_000), ("20 mb", 20_000_000), ("3KB", 3000),
    ("1G", 1 << 30), ("1gib", 1 << 30), ("1GB", 1_000_000_000),
  ])
  func `a byte count accepts the units of GNU programs`(text: String, count: Int) throws {
    #expect(try encode("--max-bytes", text, "p")?.encoding.limits.byteCount == count)
  }

  @Test func `environment variables set server options`() throws {
    func served(_ words: [String], _ environment: [String: String]) throws -> ServeCommand? {
      let request = try CommandParser<ServeCommand>.parse(words.map { CommandArgument($0) }[...]) {
        environment[$0]
      }
      guard case .run(let command) = request else { return nil }
      return command
    }
    let environment = [
      "LQIP_MAX_BYTES": "1M", "LQIP_NO_AUTH": "true", "LQIP_JOBS": "3", "LQIP_TOKEN_FILE": "",
      "LQIP_TRUST_FORWARDED": "0", "LQIP_CORS_ORIGIN": "*", "LQIP_OTHER": "x", "LQIP_HELP": "1",
    ]
    let command = try #require(try served(["--jobs=5"], environment))
    #expect(command.limits.byteCount == 1 << 20)
    #expect(command.isOpen && !command.trustsForwarded && command.tokenFile == nil)
    #expect(command.jobs == 5)
    #expect(command.origins == ["*"])
    for (name, value, allowed) in [
      ("LQIP_JOBS", "0", "a whole number from 1 to 1024"),
      ("LQIP_NO_AUTH", "x", "'true', '1', 'false' or '0'"),
    ] {
      let error = UsageError.invalidValue(value, option: name, allowed: allowed)
      #expect(throws: error) { try served([], [name: value]) }
      #expect(throws: error, "reported before conflicting options") {
        try served(["--no-auth", "--token-file=k"], [name: value])
      }
    }
    // Help is available despite an invalid variable.
    #expect(try served(["--help"], ["LQIP_JOBS": "abc"]) == nil)
    #expect(try served(["--version"], ["LQIP_JOBS": "abc"]) == nil)
    let encode = try CommandParser<EncodeCommand>.parse([CommandArgument("a")]) { _ in "7" }
    guard case .run(let command) = encode else { throw UsageError.missingOperand("") }
    #expect(command.encoding.jobs == EncodingOptions().jobs)
  }

  @Test func `decode requires a string, which may be a negative number`() throws {
    let reason = "missing argument STRING...; quote a string that starts with '#'"
    #expect(throws: UsageError.conflict(reason)) { try parse(DecodeCommand.self, []) }
    let arguments = ["a", "-109085", "--width=9", "-1", "--", "-2"]
    guard case .run(let command) = try parse(DecodeCommand.self, arguments) else {
      throw UsageError.missingOperand("")
    }
    #expect(command.strings == ["a", "-109085", "-1", "-2"])
    #expect(throws: UsageError.unknownOption("-1x", among: [])) {
      try parse(DecodeCommand.self, ["-1x"])
    }
    #expect(message("-1", "p") == "unknown option '-1'", "encode accepts no negative numbers")
  }
}

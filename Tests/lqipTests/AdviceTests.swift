import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import lqip

/// Suggestions in error messages, such as for options of other programs.
@Suite struct AdviceTests {
  private func message<Parsed: Command>(_ command: Parsed.Type, _ arguments: [String]) -> String? {
    do {
      _ = try CommandParser<Parsed>.parse(arguments.map { CommandArgument($0) }[...])
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (["--thumbhash", "p"], "unknown option '--thumbhash'; use: --kinds thumbhash"),
    (["--blurhash-only", "p"], "unknown option '--blurhash-only'; use: --kinds blurhash"),
    (["--thumb-hash", "p"], "unknown option '--thumb-hash'; use: --kinds thumbhash"),
    (["--preview", "p"], "unknown option '--preview'; use: --kinds preview"),
    (["--json", "p"], "unknown option '--json'; use: --output FILE.json"),
    (["--base", "d", "p"], "unknown option '--base'; use: --relative-to"),
    (["--delete", "p"], "unknown option '--delete'; use: --prune"),
    (["--threads=4", "p"], "unknown option '--threads'; use: --jobs"),
    (["-f", "p"], "unknown option '-f'; use: --force"),
    (["-0", "-"], "unknown option '-0'; NUL-terminated paths are detected automatically"),
    (["--null", "-"], "unknown option '--null'; NUL-terminated paths are detected automatically"),
    (
      ["--format", "json", "p"],
      "unknown option '--format'; the extension of the output file determines its format"
    ),
    (
      ["--progress", "never", "p"],
      "unknown option '--progress'; progress is shown by default; --quiet turns it off"
    ),
    (["-r", "p"], "unknown option '-r'; directories are searched recursively by default"),
    (
      ["--recursive", "p"],
      "unknown option '--recursive'; directories are searched recursively by default"
    ),
    (["--ouput=x", "p"], "unknown option '--ouput' (did you mean '--output'?)"),
    (["--frobnicate", "p"], "unknown option '--frobnicate'"),
    (["--port", "80", "p"], "unknown option '--port'"),
  ])
  func `options of other tools suggest encode options`(arguments: [String], expected: String) {
    #expect(message(EncodeCommand.self, arguments) == expected)
  }

  @Test(arguments: [
    (
      ["--blurhash", "a.jpg"],
      "expected reference or fitted; to select the placeholder, use: --kinds blurhash"
    ),
    (
      ["--lqip"],
      "option '--lqip' needs a value: --lqip METHOD; to select the placeholder, use: --kinds lqip"
    ),
    (["--lqip", "fited", "p"], "expected fitted, corners or six (did you mean 'fitted'?)"),
    (["--kinds", "blurhash,thumhash", "p"], "palette (did you mean 'blurhash,thumbhash'?)"),
    (["--kinds", "png", "p"], "svg, css, palette"),
    (["--text", "BlurHash", "p"], "(did you mean 'blurhash'?)"),
    (["--profile", "mastadon", "p"], "(did you mean 'mastodon'?)"),
    (["--sandbox", "requir", "p"], "(did you mean 'require'?)"),
    (["--background", "blak", "p"], "(did you mean 'black'?)"),
  ])
  func `a mistyped value suggests the intended value`(arguments: [String], end: String) {
    let message = message(EncodeCommand.self, arguments)
    #expect(message?.hasSuffix(end) == true, "\(message ?? "")")
  }

  @Test(arguments: [
    (["--port", "9000"], "unknown option '--port'; use: --listen 127.0.0.1:9000"),
    (["--port=9000"], "unknown option '--port'; use: --listen 127.0.0.1:9000"),
    (["-p", "9000"], "unknown option '-p'; use: --listen 127.0.0.1:9000"),
    (["--port"], "unknown option '--port'; use: --listen 127.0.0.1:PORT"),
    (["--port", "--log"], "unknown option '--port'; use: --listen 127.0.0.1:PORT"),
    (["--host", "0.0.0.0"], "unknown option '--host'; use: --listen 0.0.0.0:8080"),
    (["--host"], "unknown option '--host'; use: --listen HOST:8080"),
    (["--token", "abc"], "unknown option '--token'; use: --token-file FILE"),
    (["--thumbhash"], "unknown option '--thumbhash'"),
    (
      ["--log", "jsno"],
      "invalid value 'jsno' for '--log': expected text, json or none (did you mean 'json'?)"
    ),
  ])
  func `options of other servers suggest serve options`(arguments: [String], expected: String) {
    #expect(message(ServeCommand.self, arguments) == expected)
  }

  @Test(arguments: [
    ("8080", "use: 127.0.0.1:8080 for this machine, or 0.0.0.0:8080 for all addresses"),
    (":8080", "use: 127.0.0.1:8080 for this machine, or 0.0.0.0:8080 for all addresses"),
    ("::1", "use: [::1]:8080"), ("localhost", "use: localhost:8080"),
    ("http://localhost:90/", "use: localhost:90"),
    ("http://localhost", "use: localhost:8080"), ("/run/lqip.sock", "use: unix:/run/lqip.sock"),
  ])
  func `an incomplete listen address is rejected, with a suggested complete address`(
    text: String, advice: String
  ) {
    for option in ["--listen", "--listen-admin"] {
      #expect(
        message(ServeCommand.self, ["\(option)=\(text)"])
          == "invalid value '\(text)' for '\(option)': expected HOST:PORT or unix:PATH; \(advice)")
    }
  }

  @Test(arguments: ["", "a:b", "99999", ":", "a:x:c"])
  func `an unrecognizable address is rejected without a suggestion`(text: String) {
    #expect(
      message(ServeCommand.self, ["--listen=\(text)"])?.hasSuffix("HOST:PORT or unix:PATH") == true)
  }

  @Test func `a placeholder kind used as an option of decode suggests --kind`() {
    #expect(
      message(DecodeCommand.self, ["--thumbhash", "x"])
        == "unknown option '--thumbhash'; use: --kind thumbhash")
    #expect(
      message(CSSCommand.self, ["--kind=lqp"])?.hasSuffix("(did you mean 'lqip'?)") == true)
  }

  @Test func `a URL is rejected, with a suggested command to download it`() throws {
    let run = try Program("encode", "https://a.example/b.jpg")
    #expect(run.status == 2)
    #expect(
      run.errors == """
        lqip: https://a.example/b.jpg: URLs are not supported; use: curl -fsSL \
        https://a.example/b.jpg | lqip encode --stdin
        Try 'lqip encode --help'.

        """)
    #expect(
      message(GalleryCommand.self, ["HTTP://a.example/it's.jpg"])
        == "HTTP://a.example/it's.jpg: URLs are not supported; download the file first")
  }

  @Test(arguments: [
    ("*.jpg", ". --include '*.jpg'"), ("photos/*.jpg", "photos/ --include '*.jpg'"),
    ("a b/*", "'a b/' --include '*'"),
  ])
  func `a quoted glob is rejected, with a suggested --include`(
    pattern: String, options: String
  ) throws {
    let directory = try TemporaryDirectory()
    let run = try Program(["encode", pattern], directory: directory.path)
    #expect(run.status == 2)
    #expect(
      run.errors == """
        lqip: \(pattern): no such file; remove the quotes so that the shell expands the pattern, \
        or use: lqip encode \(options)
        Try 'lqip encode --help'.

        """)
  }

  @Test func `an existing file with an asterisk in its name is encoded`() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("a*.png")
    let run = try Program(["encode", "a*.png"], directory: directory.path)
    #expect(run.status == 0)
    #expect(try run.paths == ["a*.png"])
  }

  @Test func `an image passed to decode is rejected, with a suggested encode command`() throws {
    let directory = try TemporaryDirectory()
    let image = try directory.write("photo.png")
    let run = try Program("decode", image)
    #expect(run.status == 1)
    #expect(
      run.errors
        == "lqip: \(image): expected a placeholder, not a file; use: lqip encode \(image)\n")
    let relative = try Program(["decode", "photo.png"], directory: directory.path)
    #expect(
      relative.errors
        == "lqip: photo.png: expected a placeholder, not a file; use: lqip encode photo.png\n")
  }
}

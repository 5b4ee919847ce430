import Foundation
import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

/// The placeholder kinds, text output and standard input of `encode`.
@Suite struct EncodeKindsTests {
  private let image = Fixtures.path("size-300x200.png")

  private func record(_ arguments: String...) throws -> [String: Any] {
    let run = try Program(["encode"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output))
    return try #require(object as? [String: Any])
  }

  @Test func `--kinds selects the fields of a record`() throws {
    let kinds = try record(image, "--kinds=thumbhash,css,palette")
    #expect(kinds["thumbhash"] is String && kinds["css"] is Int && kinds["palette"] is [Any])
    #expect(kinds["blurhash"] == nil && kinds["lqip"] == nil && kinds["preview"] == nil)
    #expect(kinds["average_color"] is String && kinds["opaque"] as? Bool == true)
    let plain = try record(image)
    #expect(plain["blurhash"] is String && plain["lqip"] is String && plain["thumbhash"] == nil)
  }

  #if os(Linux)
  @Test func `placeholders do not depend on uninitialized memory`() throws {
    func output(fillingMemoryWith byte: Int) throws -> [UInt8] {
      let kinds = "--kinds=blurhash,lqip,thumbhash,tiny,preview,css,palette"
      return try Program(
        ["encode", "--quiet", kinds, Fixtures.directory.path],
        environment: ["GLIBC_TUNABLES": "glibc.malloc.perturb=\(byte)"]
      ).output
    }
    let records = try output(fillingMemoryWith: 90)
    #expect(records.count > 10_000)
    #expect(try output(fillingMemoryWith: 165) == records)
  }
  #endif

  @Test(arguments: ["webp", "jpeg"], [(128, 16), (200, 20), (1000, 24)])
  func `--preview-format and --preview-bytes apply to preview and svg, and --tiny-bytes to tiny`(
    format: String, limits: (preview: Int, tiny: Int)
  ) throws {
    let record = try record(
      image, "--kinds=preview,svg,tiny", "--preview-format", format,
      "--preview-bytes=\(limits.preview)", "--tiny-bytes=\(limits.tiny)")
    let preview = try #require(record["preview"] as? String)
    #expect(preview.utf8.count <= limits.preview)
    // A limit that no JPEG fits produces a PNG.
    let isShort = format == "jpeg" && limits.preview < 400
    #expect(preview.hasPrefix("data:image/\(isShort ? "png" : format);base64,"))
    #expect(try #require(record["svg"] as? String).contains(preview))
    let tiny = try #require((record["tiny"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(tiny.count <= (limits.tiny + 2) / 3 * 3)
  }

  /// Small differences of the input change the search for a tiny JPEG most often in noise.
  @Test func `the library and the program encode the same pixels equally`() throws {
    let directory = TemporaryDirectory()
    var expected: [String: [String]] = [:]
    for index in 0..<400 {
      let bitmap = RGBABitmap.noise(width: 1 + index * 7 % 100, height: 1 + index * 13 % 97)
      try directory.write("\(index).png", try bitmap.pngData())
      let grid = PixelGrid(bitmap)
      expected["\(index).png"] = [
        "\(TinyJPEG(encoding: grid))", "\(LQIP(encoding: grid))", "\(CSSInteger(encoding: grid))",
      ]
    }
    let run = try Program(
      "encode", directory.path, "--relative-to", directory.path, "--kinds=tiny,lqip,css")
    let records = try run.records
    #expect(records.count == expected.count)
    for record in records {
      let path = try #require(record["path"] as? String)
      let found = ["tiny", "lqip", "css"].map { "\(record[$0] ?? "")" }
      #expect(found == expected[path], "\(path)")
    }
  }

  @Test func `lqip tiny-header prints the header of tiny JPEGs`() throws {
    let run = try Program("tiny-header")
    #expect(run.status == 0)
    #expect(String(decoding: run.output, as: UTF8.self) == "\(TinyJPEG.header)\n")
  }

  @Test(arguments: ["blurhash", "lqip", "thumbhash", "tiny", "preview", "svg", "css"])
  func `--text writes only the placeholder of each image, one per line`(kind: String) throws {
    let broken = Fixtures.path("broken/text.jpg")
    let run = try Program("encode", "--text", kind, broken, image)
    #expect(run.status == 1)
    let value = try #require(try record(image, "--kinds", kind)[kind])
    #expect(String(decoding: run.output, as: UTF8.self) == "\n\(value)\n")
  }

  @Test(arguments: [["--profile=nostr"], ["-o", "a.csv"], ["-o", "a.ndjson"], ["--kinds=lqip"]])
  func `--text cannot be combined with options for records`(arguments: [String]) throws {
    let run = try Program(["encode", image, "--text=lqip"] + arguments)
    #expect(run.status == 2)
  }

  @Test(arguments: ["", "blurhash,", "blur", "lqip;css", "all,lqip"])
  func `unknown kinds are rejected with a list of the supported ones`(kinds: String) throws {
    let run = try Program("encode", image, "--kinds", kinds)
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "expected 'all', or a comma-separated list of: blurhash, lqip, thumbhash, tiny, preview"))
  }

  @Test(arguments: [("css, lqip", "css,lqip"), ("lqip,css,lqip", "lqip,css")])
  func `spaces and repetitions in kinds are accepted`(typed: String, meant: String) throws {
    let run = try Program("encode", image, "--kinds", typed)
    #expect(run.output == (try Program("encode", image, "--kinds", meant).output))
    #expect(run.status == 0)
  }

  @Test func `--stdin reads one image from standard input`() throws {
    let bytes = try Fixtures.bytes("size-300x200.png")
    let run = try Program(["encode", "--stdin"], bytes: bytes)
    #expect(run.status == 0)
    let text = String(decoding: run.output, as: UTF8.self)
    let file = try Program("encode", image)
    #expect(
      String(decoding: file.output, as: UTF8.self).replacing(#""path":"\#(image)","#, with: "")
        == text)
    let failed = try Program(["encode", "--stdin"], bytes: [1, 2, 3])
    #expect(failed.status == 1)
    #expect(
      failed.errors == "lqip: standard input: not a JPEG, PNG, WebP, GIF, AVIF or HEIC image\n")
  }

  @Test(arguments: [0, 1000])
  func `a stalled standard input is reported as a timeout`(count: Int) throws {
    let scratch = TemporaryDirectory()
    let output = FileHandle(forWritingAtPath: try scratch.write("out", []))
    let run = try RunningProgram(
      ["encode", "--stdin", "--timeout=0.01"], output: try #require(output))
    try run.send(try Fixtures.bytes("size-640x480.png").prefix(count))
    #expect(try run.status() == 1)
    #expect(try run.errors == "lqip: standard input: reading took too long\n")
    #expect(try scratch.text(of: "out").contains(#""error":{"code":"timeout""#))
  }

  @Test(arguments: [
    "--shard=1/2", "--include=*.png", "--exclude=x", "--follow", "--relative-to=.",
    "--output=a.json", "--update", "--tar=a.tar",
  ])
  func `--stdin cannot be combined with options for paths`(option: String) throws {
    let run = try Program(["encode", "--stdin", option], bytes: [])
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("lqip: --stdin "))
  }

  @Test(arguments: ["size-300x200.png", "jpeg-baseline-420.jpg"])
  func `an image passed as a list of paths is rejected`(fixture: String) throws {
    let run = try Program(["encode", "-"], bytes: try Fixtures.bytes(fixture))
    #expect(run.status == 4)
    #expect(
      run.errors.contains(
        "standard input: expected a list of paths, found an image; use: lqip encode --stdin"))
  }
}

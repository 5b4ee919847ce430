import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService

@Suite struct ServeCommandTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: [
    ["--listen=nowhere"], ["--listen=127.0.0.1:65536"], ["--tls-cert=a.pem"],
    ["--no-auth", "--token-file=tokens"], ["--cors-origin=https://a.example/"], ["--log=xml"],
    ["--jobs=0"], ["--queue=-1"], ["--max-connections=1"], ["--grace=0"], ["extra"],
  ])
  func `an invalid command line has exit status 2`(arguments: [String]) throws {
    let run = try Program("serve", arguments[0], arguments.count > 1 ? arguments[1] : "--log=none")
    #expect(run.status == 2)
    #expect(run.errors.hasSuffix("\nTry 'lqip serve --help'.\n"))
  }

  @Test func `a non-loopback address requires --token-file or --no-auth`() throws {
    let run = try Program("serve", "--listen", "0.0.0.0:0")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("lqip: refusing to listen on 0.0.0.0:"))
    #expect(run.errors.hasSuffix("without authentication; pass --token-file FILE or --no-auth\n"))
  }

  @Test func `a server with an unreadable token file does not start`() throws {
    let missing = directory.file("missing")
    let tokens = try Program("serve", "--token-file", missing)
    #expect(tokens.status == 1)
    #expect(tokens.errors == "lqip: \(missing): cannot read tokens: No such file or directory\n")
  }

  @Test func `a server reloads its tokens on SIGHUP and exits on SIGTERM`() throws {
    let tokens = try directory.write("tokens", Array("first\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokens)
    let program = try ServingProgram("--token-file", tokens, "--cors-origin", "https://a.example")
    #expect(try program.response("GET /metrics", token: "second").status == 401)
    #expect(try program.response("GET /metrics", token: "first").status == 200)

    try Data("second\n".utf8).write(to: URL(fileURLWithPath: tokens))
    program.send(signal: SIGHUP)
    #expect(try program.line() == "lqip: \(tokens): reloaded the tokens")
    #expect(try program.response("GET /metrics", token: "first").status == 401)

    try Data("no token\n".utf8).write(to: URL(fileURLWithPath: tokens))
    program.send(signal: SIGHUP)
    let failure = "lqip: \(tokens): cannot reload tokens: "
    #expect(try program.line().hasPrefix(failure))
    let response = try program.response("GET /metrics", token: "second")
    #expect(response.status == 200)
    #expect(response.fields["vary"] == nil)
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("lqip_requests_total{route=\"/metrics\",status=\"401\"} 2\n"))
    #expect(text.contains("lqip_requests_total{route=\"/metrics\",status=\"200\"} 1\n"))

    // A request without a host is rejected before routing.
    let client = try RawClient(port: program.port)
    client.send("GET / HTTP/1.1\r\nOrigin: https://a.example\r\n\r\n")
    let refusal = try client.response()
    #expect(refusal.status == 400)
    #expect(refusal.fields["x-content-type-options"] == "nosniff")
    #expect(refusal.fields["access-control-allow-origin"] == "https://a.example")

    program.send(signal: SIGTERM)
    #expect(program.status() == 0)
  }

  @Test func `readiness fails during --drain-delay, and a second signal ends the server`() throws {
    let program = try ServingProgram("--drain-delay", "600")
    let ready = { try program.response("GET /readyz", token: "") }
    #expect(try ready().status == 200)
    program.send(signal: SIGINT)
    var status = 200
    while status == 200 { status = try ready().status }
    #expect(status == 503)
    #expect(try program.response("GET /lqip.css", token: "").status == 200)
    program.send(signal: SIGTERM)
    #expect(program.status() == 128 + SIGTERM)
  }

  @Test func `a SIGTERM repeated within a second does not cut the shutdown short`() throws {
    let program = try ServingProgram("--drain-delay", "2")
    #expect(try program.response("GET /readyz", token: "").status == 200)
    for _ in 1...2 { program.send(signal: SIGTERM) }
    #expect(program.status() == 0)
  }

  @Test func `requests queued at the socket are answered when the server starts`() throws {
    let socket = try ListenSocket(.network(host: "127.0.0.1", port: 0))
    let image = try Fixtures.bytes("size-2x1.png")
    let clients = try (1...8).map { _ in
      let client = try RawClient(port: socket.port ?? 0)
      client.send("POST /v1/encode HTTP/1.1\r\nHost: a\r\nContent-Length: \(image.count)\r\n\r\n")
      client.send(image)
      return client
    }
    // The only worker is the one that the server starts as a check.
    let program = try ServingProgram("--jobs", "1", "--queue", "8", socket: socket.descriptor)
    for client in clients { #expect(try client.response().status == 200) }
    program.send(signal: SIGTERM)
    #expect(program.status() == 0)
  }

  /// Waits until another client's request is in flight.
  private func waitForRequest(in program: ServingProgram) throws {
    try RunningProgram.wait {
      let metrics = try program.response("GET /metrics", token: "")
      return String(decoding: metrics.body, as: UTF8.self).contains("in_flight 2\n")
    }
  }

  @Test func `requests cut off at the end of the grace period are reported`() throws {
    let program = try ServingProgram("--grace", "1")
    let client = try RawClient(port: program.port)
    client.send("POST /v1/encode HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1")
    try waitForRequest(in: program)
    program.send(signal: SIGTERM)
    // The request for the metrics may still count.
    let line = try program.line()
    #expect(["1", "2"].map { "lqip: shutting down; requests in flight: \($0)" }.contains(line))
    #expect(
      try program.line()
        == "lqip: shutdown: unfinished requests were cut off when the grace period ended "
        + "(see --grace)")
    #expect(program.status() == 1)
  }

  @Test func `a stalled reader of the log does not block the server`() throws {
    let program = try ServingProgram("--log", "json")
    // The log exceeds the capacity of the pipe, which nothing reads.
    for _ in 1...600 { #expect(try program.response("GET /healthz", token: "").status == 200) }
    program.send(signal: SIGTERM)
    #expect(program.status() == 0)
  }

  @Test func `a server with few descriptors keeps answering at its connection limit`() throws {
    let program = try ServingProgram(limit: "-n 64")
    let idle = (1...80).compactMap { _ in try? RawClient(port: program.port) }
    #expect(try program.response("GET /healthz", token: "").status == 200)
    #expect(idle.count == 80)
  }

  @Test func `a server that was suspended still answers incomplete requests`() throws {
    let program = try ServingProgram()
    let client = try RawClient(port: program.port)
    client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n")
    try waitForRequest(in: program)
    program.send(signal: SIGSTOP)
    // Longer than the time limit for a request head.
    sleep(11)
    program.send(signal: SIGCONT)
    usleep(500_000)
    client.send("\r\n")
    #expect(try client.response().status == 200)
  }

  @Test func `a token file that other users can read is reported`() throws {
    let tokens = try directory.write("tokens", Array("first\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tokens)
    let run = try Program(
      "serve", "--token-file", tokens, "--listen", "unix:\(directory.file("none/socket"))")
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix(
        "lqip: \(tokens): warning: the file is readable by other users; run 'chmod o-r \(tokens)'\n"
      ))
  }

  @Test(arguments: [
    ("*", true), ("https://a.example", true), ("http://localhost:8080", true),
    ("http://[::1]:8080", true), ("", false), ("a.example", false), ("https://a.example/", false),
    ("https://", false), ("ftp://a.example", false), ("https://A.example", false),
    ("https://a.example https://b.example", false), ("null", false), ("https://*.a.example", false),
  ])
  func `--cors-origin accepts only origins in the form that browsers send`(
    text: String, isOrigin: Bool
  ) {
    #expect((OptionValue.origin.parse(CommandArgument(text)) != nil) == isOrigin)
  }
}

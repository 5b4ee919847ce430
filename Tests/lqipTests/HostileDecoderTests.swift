#if os(Linux)
import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

/// Images that take over the decoder, but must affect only their own records.
@Suite struct HostileDecoderTests {
  private typealias Order = HostileDecoder.Order

  private let decoder: HostileDecoder

  init() throws {
    decoder = try HostileDecoder()
  }

  /// Returns the lines of records that are not error records.
  private func good(_ run: Program) -> [String] {
    run.lines.filter { !$0.contains("\"error\"") }
  }

  @Test(arguments: HostileDecoder.Order.allCases)
  func `an attack on the decoder affects no other record of a batch`(
    order: HostileDecoder.Order
  ) throws {
    let directory = TemporaryDirectory()
    let image = try Fixtures.bytes("jpeg-size-1x57.jpg")
    for number in 0..<20 { try directory.write("d/\(number).jpg", image) }
    try directory.write("d/10a.jpg", try HostileDecoder.image([order]))
    let expected = try Program("encode", directory.file("d")).lines
    #expect(expected.count == 21)

    let run = try Program(
      ["encode", order.timeLimit, "--jobs=2", "--sandbox=require", directory.file("d")],
      environment: decoder.environment)
    #expect(run.status == (order.code == nil ? 0 : 1))
    let codes = try run.codes.compactMap(\.self)
    #expect(codes == [order.code].compactMap(\.self))
    #expect(good(run) == expected.filter { order.code == nil || !$0.contains("10a.jpg") })
  }

  @Test func `an attack cannot drop the record of a file without an extension`() throws {
    let directory = TemporaryDirectory()
    let image = try HostileDecoder.image([.replyNoImage])
    let update = [
      "encode", "--update", "--sandbox=require", directory.file("d"), "-o", directory.file("o"),
    ]
    try directory.write("d/photo", image)
    #expect(try Program(update).status == 0)
    try directory.write("d/photo", image)
    let run = try Program(update, environment: decoder.environment)
    #expect(run.status == 1)
    #expect(try directory.text(of: "o").contains(#""blurhash":""#))
  }

  @Test(arguments: HostileDecoder.Order.allCases)
  func `an attack by a single image affects only its own record`(
    order: HostileDecoder.Order
  ) throws {
    let directory = TemporaryDirectory()
    let file = try directory.write("image.jpg", try HostileDecoder.image([order]))
    let run = try Program(
      ["encode", order.timeLimit, "--sandbox=require", file], environment: decoder.environment)
    // The only worker has no request with a number to forge.
    let code = order == .replyOther ? "corrupt" : order.code
    let codes = try run.codes
    #expect(codes == [code])
    #expect(run.status == (code == nil ? 0 : 1))
  }

  @Test(arguments: HostileDecoder.Order.allCases)
  func `a server answers other clients while a decoder is attacked, and then stops`(
    order: HostileDecoder.Order
  ) throws {
    // On a busy machine, the other attacks could take as long as a short time limit allows.
    let isSlow = [.loop, .silence, .spinLater].contains(order)
    let server = try ServingProgram(
      "--timeout=\(isSlow ? 1 : 30)", "--jobs=6", "--queue=64", "--sandbox=require", "--grace=60",
      "--max-memory=32M", "--max-bytes=1M",
      environment: decoder.environment)
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    let hostile = try HostileDecoder.image([order])
    let client = try RawClient(port: server.port)
    client.post(good)
    let expected = try client.response().body
    let attackers = try (0..<3).map { _ in try RawClient(port: server.port) }
    for _ in 0..<(isSlow ? 1 : 8) {
      for attacker in attackers { attacker.post(hostile) }
      for _ in 0..<10 {
        client.post(good)
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.body == expected)
      }
      for attacker in attackers {
        let response = try attacker.response()
        // The slot of a worker contains nothing to report.
        #expect(response.code == order.code, "\(String(decoding: response.body, as: UTF8.self))")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("leak"))
      }
    }
    let response = try server.response("GET /metrics", token: "")
    let metrics = String(decoding: response.body, as: UTF8.self)
    #expect(metrics.contains(#"lqip_sandbox_info{walls="process, seccomp"#))
    if order.code == "decoder_failed" {
      #expect(metrics.contains("lqip_decoder_failures_total{reason="))
    }
    server.send(signal: SIGTERM)
    #expect(server.status() == 0)
  }

  @Test func `a thousand random attacks change no record of another image`() throws {
    let directory = TemporaryDirectory()
    let image = try Fixtures.bytes("jpeg-size-1x57.jpg")
    // These orders take the complete time limit, which must be long for a busy machine.
    let orders = Order.allCases.filter { ![.loop, .silence].contains($0) }
    // The next images of their worker take it, too.
    let quick = orders.filter { ![.spinIdle, .spinLater, .neverReceive].contains($0) }
    var generator = LCG(seed: 49)
    for number in 0..<1000 {
      let count = Int.random(in: 1...4, using: &generator)
      let pool = number % 8 == 0 ? orders : quick
      let attack = (0..<count).map { _ in pool.randomElement(using: &generator) ?? .fork }
      try directory.write("d/\(number)-bad.jpg", try HostileDecoder.image(attack))
      try directory.write("d/\(number).jpg", image)
    }
    let run = try Program(
      ["encode", "--timeout=0.5", "--sandbox=require", directory.file("d")],
      environment: decoder.environment)
    #expect(run.lines.count == 2000)
    #expect(!run.lines.contains { $0.contains("leak") })
    let expected = try Program("encode", directory.file("d"))
    #expect(good(expected).count == 2000)
    func innocent(_ run: Program) -> [String] { run.lines.filter { !$0.contains("-bad.jpg") } }
    #expect(innocent(run) == innocent(expected))
  }

  @Test func `the program without the hostile library obeys no orders`() throws {
    let directory = TemporaryDirectory()
    let file = try directory.write("image.jpg", try HostileDecoder.image(Order.allCases))
    let run = try Program("encode", file)
    #expect(run.status == 0)
    #expect(run.lines.count == 1 && run.errors.isEmpty, "\(run.errors)")
    let program = try Data(contentsOf: Program.executable)
    for text in ["orders:", "nullWrite", "answerAhead"] {
      #expect(program.range(of: Data(text.utf8)) == nil)
    }
  }

  @Test func `an image that takes its time limit leaves the other images of a form theirs`()
    throws
  {
    let server = try ServingProgram("--jobs=1", "--timeout=1", environment: decoder.environment)
    let client = try RawClient(port: server.port)
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    client.post(form: [good, try HostileDecoder.image([.loop]), good])
    let response = try client.response()
    #expect(response.status == 200)
    let records = try #require(
      JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]])
    let codes = records.map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == [nil, "timeout", nil])
  }

  @Test func `a client that closes its sending side is told so if it waits over a second`()
    throws
  {
    let server = try ServingProgram("--log=json", environment: decoder.environment)
    let client = try RawClient(port: server.port)
    client.post(try HostileDecoder.image([.loop]))
    client.finishSending()
    let response = try client.response()
    #expect(response.status == 499)
    #expect(response.code == "aborted")
    let line = try server.line()
    #expect(line.contains(#""status":499,"outcome":"aborted""#))
  }

  @Test func `the log contains the digest of an image that crashed the decoder`() throws {
    let server = try ServingProgram("--log=json", environment: decoder.environment)
    let client = try RawClient(port: server.port)
    let image = try HostileDecoder.image([.nullWrite])
    client.post(image)
    #expect(try client.response().status == 422)
    let line = try server.line()
    #expect(line.contains(#""outcome":"decoder_failed""#))
    #expect(line.contains(#""decoder":"crashed""#))
    #expect(line.contains("\"sha256\":\"\(SHA256Digest(of: image).hex)\""))
  }

  @Test(arguments: [Order.spinIdle, .neverReceive, .crashLater])
  func `a worker that misbehaves after its reply is replaced, logged and counted`(
    order: HostileDecoder.Order
  ) throws {
    let server = try ServingProgram("--jobs=1", environment: decoder.environment)
    let client = try RawClient(port: server.port)
    client.post(try HostileDecoder.image([order]))
    _ = try client.response()
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    client.post(good)
    #expect(try client.response().status == 200)
    #expect(try server.line().hasPrefix("lqip: a worker was replaced: "))
    let response = try server.response("GET /metrics", token: "")
    let failures = "lqip_decoder_failures_total{reason="
    #expect(String(decoding: response.body, as: UTF8.self).contains(failures))
  }

  @Test func `many crashes in a minute raise an alarm, which replaces all workers`() throws {
    let server = try ServingProgram("--jobs=1", environment: decoder.environment)
    let client = try RawClient(port: server.port)
    let zygote = try #require(try server.descendants().first)
    let hostile = try HostileDecoder.image([.nullWrite])
    for _ in 0..<20 {
      client.post(hostile)
      #expect(try client.response().status == 422)
    }
    client.post(try Fixtures.bytes("jpeg-size-1x57.jpg"))
    #expect(try client.response().status == 200)
    #expect(try server.line().hasPrefix("lqip: 20 decoder failures within a minute"))
    let response = try server.response("GET /metrics", token: "")
    #expect(
      String(decoding: response.body, as: UTF8.self).contains("lqip_decoder_alarms_total 1\n"))
    // The first zygote ends with its last worker.
    try RunningProgram.wait { try !server.descendants().contains(zygote) }
    client.post(try Fixtures.bytes("jpeg-size-1x57.jpg"))
    #expect(try client.response().status == 200)
    #expect(try server.descendants().count == 2)
  }

  @Test(arguments: [Order.nullWrite, .endForged])
  func `many consecutive attacks leak no processes or descriptors`(
    order: HostileDecoder.Order
  ) throws {
    let server = try ServingProgram("--jobs=1", environment: decoder.environment)
    let client = try RawClient(port: server.port)
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    let hostile = try HostileDecoder.image([order])
    func counts() throws -> [Int] {
      [try server.descriptorCount(), try server.descendants().count]
    }
    client.post(good)
    #expect(try client.response().status == 200)
    let before = try counts()
    for _ in 0..<100 {
      client.post(hostile)
      #expect(try client.response().status == 422)
    }
    // A killed worker may remain for a moment, and a free worker is replaced after an alarm.
    try RunningProgram.wait {
      client.post(good)
      #expect(try client.response().status == 200)
      return try counts() == before
    }
  }

  @Test func `each of many consecutive crashes has an error record`() throws {
    let directory = TemporaryDirectory()
    let hostile = try HostileDecoder.image([.nullWrite])
    for number in 0..<300 { try directory.write("d/\(number).jpg", hostile) }
    let run = try Program(["encode", directory.file("d")], environment: decoder.environment)
    #expect(run.counts == "0 encoded, 300 failed (300 decoder_failed)")
    #expect(try run.codes.count == 300)
  }

  @Test func `a worker has one thread, a seccomp filter and no way to gain privileges`() throws {
    let server = try ServingProgram("--sandbox=require")
    let client = try RawClient(port: server.port)
    client.post(try Fixtures.bytes("jpeg-size-1x57.jpg"))
    #expect(try client.response().status == 200)
    let workers = try server.descendants().suffix(1)
    #expect(!workers.isEmpty)
    for worker in workers {
      let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
      #expect(status.contains("Seccomp:\t2\n"))
      #expect(status.contains("NoNewPrivs:\t1\n"))
      #expect(status.contains("Threads:\t1\n"))
      #expect(status.contains("CapPrm:\t0000000000000000\n"))
      let order = try String(contentsOfFile: "/proc/\(worker)/oom_score_adj", encoding: .utf8)
      #expect(order == "1000\n")
    }
  }
}

extension RawClient {
  /// Sends an image, or a form of a type, to encode.
  fileprivate func post(_ body: [UInt8], type: String = "application/octet-stream") {
    let head =
      "POST /v1/encode HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    // The kernel delays the second of two small messages by 40 ms.
    send(Array(head.utf8) + body)
  }

  /// Sends a form of images to encode.
  fileprivate func post(form images: [[UInt8]]) {
    let part = "--xyz\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n"
    let parts = images.flatMap { Array(part.utf8) + $0 + Array("\r\n".utf8) }
    post(parts + Array("--xyz--\r\n".utf8), type: "multipart/form-data; boundary=xyz")
  }
}
#endif

#if os(Linux)
import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

/// Images that take over the decoder, but must affect only their own records.
@Suite struct HostileDecoderTests {
  private typealias Attack = HostileDecoder.Attack

  private let decoder: HostileDecoder

  init() throws {
    decoder = try HostileDecoder()
  }

  @Test(arguments: HostileDecoder.Attack.allCases)
  func `an attack on the decoder produces one error record and changes no other record`(
    attack: HostileDecoder.Attack
  ) throws {
    let directory = TemporaryDirectory()
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    for number in 0..<20 { try directory.write("d/\(number).jpg", good) }
    let expected = try Program("encode", directory.file("d")).lines
    try directory.write("d/10a.jpg", try Fixtures.bytes(HostileDecoder.image))

    let run = try Program(
      ["encode", "--timeout=0.5", "--sandbox=require", directory.file("d")],
      environment: decoder.environment(attack))
    #expect(run.status == 1)
    let codes = try run.codes
    #expect(codes.compactMap(\.self) == [attack.code])
    #expect(run.lines.filter { !$0.contains("\"error\"") } == expected)
  }

  @Test func `an attack cannot drop the record of a file without an extension`() throws {
    let directory = TemporaryDirectory()
    let image = try Fixtures.bytes(HostileDecoder.image)
    let update = [
      "encode", "--update", "--sandbox=require", directory.file("d"), "-o", directory.file("o"),
    ]
    try directory.write("d/photo", image)
    #expect(try Program(update).status == 0)
    try directory.write("d/photo", image)
    let run = try Program(update, environment: decoder.environment(.replyNoImage))
    #expect(run.status == 1)
    #expect(try directory.text(of: "o").contains(#""blurhash":""#))
  }

  @Test(arguments: HostileDecoder.Attack.allCases)
  func `an attack by a single image produces one error record`(
    attack: HostileDecoder.Attack
  ) throws {
    let file = Fixtures.path(HostileDecoder.image)
    let run = try Program(
      ["encode", "--timeout=0.5", "--sandbox=require", file],
      environment: decoder.environment(attack))
    #expect(run.status == 1)
    #expect(try run.codes == [attack.code])
    #expect(run.counts == "0 encoded, 1 failed (1 \(attack.code))")
  }

  @Test(arguments: [
    Attack.nullWrite, .loop, .allocation, .open, .replyForged, .replyNoImage, .replyTwice,
  ])
  func `a server answers other clients while a decoder is attacked`(
    attack: HostileDecoder.Attack
  ) throws {
    // On a busy machine, the other attacks could take as long as a short time limit allows.
    let server = try ServingProgram(
      "--timeout=\(attack == .loop ? 1 : 30)", "--jobs=6", "--queue=64", "--sandbox=require",
      environment: decoder.environment(attack))
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    let hostile = try Fixtures.bytes(HostileDecoder.image)
    let attackers = try (0..<3).map { _ in try RawClient(port: server.port) }
    for client in attackers { client.post(hostile) }
    let client = try RawClient(port: server.port)
    for number in 1...100 {
      client.post(good)
      #expect(try client.response().status == 200)
      // A loop lasts until its deadline.
      guard attack != .loop || number == 100 else { continue }
      for attacker in attackers {
        let response = try attacker.response()
        #expect(response.status == (attack == .loop ? 504 : 422))
        #expect(response.code == attack.code)
        if number < 100 { attacker.post(hostile) }
      }
    }
    client.post(good)
    #expect(try client.response().status == 200)
    let response = try server.response("GET /metrics", token: "")
    let metrics = String(decoding: response.body, as: UTF8.self)
    #expect(metrics.contains(#"lqip_sandbox_info{walls="process, seccomp"#))
    #expect(attack == .allocation || metrics.contains("lqip_decoder_failures_total{reason="))
  }

  @Test func `the log contains the digest of an image that crashed the decoder`() throws {
    let server = try ServingProgram("--log=json", environment: decoder.environment(.nullWrite))
    let client = try RawClient(port: server.port)
    client.post(try Fixtures.bytes(HostileDecoder.image))
    #expect(try client.response().status == 422)
    let line = try server.line()
    #expect(line.contains(#""outcome":"decoder_failed""#))
    #expect(line.contains(#""decoder":"crashed""#))
    let expected = SHA256Digest(of: try Fixtures.bytes(HostileDecoder.image)).hex
    #expect(line.contains("\"sha256\":\"\(expected)\""))
  }

  @Test(arguments: [Attack.nullWrite, .endForged])
  func `many consecutive attacks leak no processes or descriptors`(
    attack: HostileDecoder.Attack
  ) throws {
    let server = try ServingProgram("--jobs=1", environment: decoder.environment(attack))
    let client = try RawClient(port: server.port)
    let good = try Fixtures.bytes("jpeg-size-1x57.jpg")
    let hostile = try Fixtures.bytes(HostileDecoder.image)
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
    client.post(good)
    #expect(try client.response().status == 200)
    // A killed worker may remain for a moment.
    try RunningProgram.wait { try counts() == before }
  }

  @Test func `each of many consecutive crashes has an error record`() throws {
    let directory = TemporaryDirectory()
    let hostile = try Fixtures.bytes(HostileDecoder.image)
    for number in 0..<300 { try directory.write("d/\(number).jpg", hostile) }
    let run = try Program(
      ["encode", directory.file("d")], environment: decoder.environment(.nullWrite))
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
    }
  }
}

extension RawClient {
  /// Sends an image to encode.
  fileprivate func post(_ image: [UInt8]) {
    send("POST /v1/encode HTTP/1.1\r\nHost: a\r\nContent-Length: \(image.count)\r\n\r\n")
    send(image)
  }
}
#endif

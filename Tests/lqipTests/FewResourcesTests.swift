import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Runs with few resources, which write every record or fail with a message and no output.
@Suite struct FewResourcesTests {
  private static let descriptors = (3...32).map { "-n \($0)" } + ["-n 64", "-n 300"]
  /// Address space limits in kilobytes; below them, the system cannot load the program.
  private static let memory = [100_000, 200_000, 300_000, 400_000, 600_000, 1_000_000, 9_000_000]
    .map { "-v \($0)" }

  #if os(Linux)
  private let faults: FaultyFiles

  init() throws {
    faults = try FaultyFiles()
  }
  #endif

  @Test(arguments: [
    ["encode", "photo.png"], ["gallery", "photo.png"], ["css"],
    ["decode", "--width=900", "--height=900", "LEHV6nWB2yk8pyo0adR*.7kCMdnj"],
  ])
  func `an output above the file size limit is an error and leaves no files`(
    arguments: [String]
  ) throws {
    let directory = TemporaryDirectory()
    let photo = try directory.write("photo.png")
    let output = directory.file("out")
    let launcher = ["/bin/sh", "-c", "ulimit -f 0 && exec \"$@\"", "sh"]
    let program = try RunningProgram(
      arguments.map { $0 == "photo.png" ? photo : $0 } + ["-o", output], through: launcher)
    #expect(try program.status() == 3)
    #expect(try directory.names == ["photo.png"])
  }

  @Test(arguments: [["decode", "-", "--data-url"], ["encode", "--stdin"], ["encode", "-"]])
  func `closed standard input is an error, not empty input`(arguments: [String]) throws {
    let launcher = ["/bin/sh", "-c", "exec \"$@\" <&-", "sh"]
    let program = try RunningProgram(arguments, through: launcher)
    #expect(try program.status() == 4)
    #expect(try program.errors.contains("Bad file descriptor"))
  }

  #if os(Linux)
  @Test func `a server without a thread for a connection responds with 503`() throws {
    // The other threads are those of the server.
    let server = try ServingProgram("--sandbox=off", environment: faults.withThreads(9))
    let statuses = try (0..<20).map { _ in
      try server.response("GET /healthz", token: "").status
    }
    #expect(statuses.contains(200) && statuses.contains(503))
  }

  @Test(arguments: 0...5)
  func `with few threads, a run fails with an error or writes all records`(count: Int) throws {
    let directory = TemporaryDirectory()
    let paths = try (0..<4).map { try directory.write("\($0).png") }
    let expected = try Program(["encode"] + paths).output
    let program = try Program(["encode"] + paths, environment: faults.withThreads(count))
    if program.status == 0 {
      #expect(program.output == expected)
    } else {
      #expect(program.status == 3)
      let problem = count == 0 ? "cannot handle signals" : "cannot start a thread"
      #expect(program.errors.contains(problem), "\(program.errors)")
    }
    #expect(program.status == 0 || count < 4)
  }
  #endif

  @Test(arguments: descriptors + memory)
  func `with few resources, a run fails with an error or writes all records`(limit: String) throws {
    let directory = TemporaryDirectory()
    _ = try directory.makeDirectory("images")
    for number in 0..<40 { _ = try directory.write("images/\(number).png") }
    let images = directory.file("images")
    let expected = try Program("encode", images).output
    let output = directory.file("out.ndjson")
    let launcher = ["/bin/sh", "-c", "ulimit \(limit) && exec \"$@\"", "sh"]
    let program = try RunningProgram(
      ["encode", images, "-o", output, "--jobs=32"], through: launcher)
    let status = try program.status()
    if status == 0 {
      let records = try directory.text(of: "out.ndjson").split(separator: "\n")
      #expect(records.count == expected.split(separator: UInt8(ascii: "\n")).count)
      #expect(!records.contains { $0.contains("\"error\"") })
    } else {
      let errors = try program.errors
      #expect([1, 3, 127].contains(status), "\(errors)")
      #expect(!errors.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }

  #if os(Linux)
  @Test(arguments: [8, 30])
  func `a server with too few descriptors does not start`(count: Int) throws {
    let launcher = ["/bin/sh", "-c", "ulimit -n \(count) && exec \"$@\"", "sh"]
    let program = try RunningProgram(["serve", "--listen", "127.0.0.1:0"], through: launcher)
    #expect(try program.status() == 1)
    #expect(try program.errors.contains("descriptors, but 28 are needed"))
  }

  @Test func `chunked bodies occupy no address space before they arrive`() throws {
    let program = try ServingProgram(limit: "-v 1000000")
    let clients = try (0..<80).map { _ in try RawClient(port: program.port) }
    for client in clients {
      client.send(
        "POST /v1/encode HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
    }
    for client in clients {
      client.send("0\r\n\r\n")
      #expect([415, 503].contains(try client.response().status))
    }
    #expect(try program.response("GET /healthz", token: "").status == 200)
  }

  @Test(arguments: [500_000, 1_000_000, 4_000_000])
  func `a server with little address space survives requests that do not fit in memory`(
    limit: Int
  ) throws {
    let program = try ServingProgram(limit: "-v \(limit)")
    let body = [UInt8](repeating: 0, count: 256 << 10)
    let clients = try (0..<300).map { _ in try RawClient(port: program.port) }
    for client in clients {
      client.send(
        "POST /v1/encode HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count + 1)\r\n\r\n")
    }
    for client in clients { client.send(body) }
    for client in clients {
      client.send([0])
      let response = try? client.response()
      #expect(response.map { [408, 415, 503].contains($0.status) } ?? true)
    }
    #expect(try program.response("GET /healthz", token: "").status == 200)
  }
  #endif
}

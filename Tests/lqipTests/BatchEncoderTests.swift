import TestSupport
import Testing

@testable import lqip

@MainActor
@Suite struct BatchEncoderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for index in 0..<60 {
      try directory.write("d/\(index).png", index.isMultiple(of: 7) ? [] : TemporaryDirectory.png)
    }
  }

  private func output(jobs: Int) async throws -> String {
    let batch = BatchEncoder(encoder: EncodingOptions().fileEncoder, jobs: jobs)
    var output: [UInt8] = []
    try await batch.run(ImageWalker([FilePath(directory.file("d"))])) { event in
      guard case .record(let record) = event else { return }
      output += RecordFormat.ndjson.bytes(of: record)
    }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `the number of jobs changes nothing in the output`() async throws {
    let expected = try await output(jobs: 1)
    #expect(expected.split(separator: "\n").count == 60)
    for jobs in [2, 3, 8, 64] {
      let output = try await output(jobs: jobs)
      #expect(output == expected)
    }
  }

  @Test func `an error of the receiver ends the batch`() async {
    let batch = BatchEncoder(encoder: EncodingOptions().fileEncoder, jobs: 2)
    let walker = ImageWalker([FilePath(directory.file("d"))])
    var count = 0
    await #expect(throws: CommandError.outputClosed) {
      try await batch.run(walker) { _ throws(CommandError) in
        count += 1
        if count == 3 { throw .outputClosed }
      }
    }
    #expect(count == 3)
  }

  @Test func `more failures than the window holds all arrive`() async throws {
    let missing = (0..<3000).map { FilePath(directory.file("none/\($0)/")) }
    let batch = BatchEncoder(encoder: EncodingOptions().fileEncoder, jobs: 2)
    var count = 0
    try await batch.run(ImageWalker(missing)) { _ in count += 1 }
    #expect(count == 3000)
  }
}

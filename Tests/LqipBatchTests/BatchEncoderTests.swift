import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipBatch
@testable import LqipFiles
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

  private func batch(
    _ source: some BatchSource & Sendable, jobs: Int = 2, reads: Int = 4
  ) -> BatchEncoder {
    BatchEncoder(
      { () throws(CommandError) in source }, EncodingOptions().fileEncoder,
      render: { JSON.object($0.members(in: .plain)).bytes + "\n".utf8 },
      BatchEncoder.Concurrency(jobs: jobs, reads: reads))
  }

  private func batch(jobs: Int = 2) -> BatchEncoder {
    batch(ImageWalker([FilePath(directory.file("d"))]), jobs: jobs)
  }

  private func output(jobs: Int) throws -> String {
    var output: [UInt8] = []
    try batch(jobs: jobs).run(finished: { _, _ in }) { event in
      if case .record(_, let bytes) = event { output += bytes }
    }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `the number of jobs changes nothing in the output`() throws {
    let expected = try output(jobs: 1)
    #expect(expected.split(separator: "\n").count == 60)
    for jobs in [2, 3, 8, 64] {
      let output = try output(jobs: jobs)
      #expect(output == expected)
    }
  }

  @Test func `each new record is handed on once when it is made and once in its turn`() throws {
    var finished: [FilePath] = []
    var received: [FilePath] = []
    try batch(jobs: 8).run(
      finished: { record, _ in finished.append(record.path) }
    ) { event in
      guard case .record(let record, _) = event else { return }
      received.append(record.path)
    }
    #expect(Set(finished) == Set(received))
    #expect(finished.count == 60)
    #expect(received.count == 60)
  }

  @Test func `an error of the receiver ends the batch`() async {
    let batch = batch()
    var count = 0
    #expect(throws: CommandError.outputClosed) {
      try batch.run(finished: { _, _ in }) { _ throws(CommandError) in
        count += 1
        if count == 3 { throw .outputClosed }
      }
    }
    #expect(count == 3)
  }

  @Test func `an error of the source comes after the results of what it gave before`() async {
    let batch = batch(FailingSource(path: FilePath(directory.file("d/1.png"))))
    var count = 0
    #expect(throws: CommandError.failed("torn")) {
      try batch.run(finished: { _, _ in }) { _ in count += 1 }
    }
    #expect(count == 3)
  }

  @Test func `more failures than the window holds all arrive`() throws {
    let missing = (0..<3000).map { FilePath(directory.file("none/\($0)/")) }
    var count = 0
    try batch(ImageWalker(missing)).run(finished: { _, _ in }) { _ in count += 1 }
    #expect(count == 3000)
  }

  /// Gives an image three times and then fails.
  private struct FailingSource: BatchSource, Sendable {
    let path: FilePath
    var count = 0

    init(path: FilePath) {
      self.path = path
    }

    mutating func next() throws(CommandError) -> ImageWalker.Finding? {
      count += 1
      guard count <= 3 else { throw .failed("torn") }
      return .image(path, followsLinks: false, isCandidate: false)
    }
  }
}

/// How the memory that there is is shared out, so that nothing that is admitted can be killed for it.
package struct MemoryPlan: Hashable, Sendable {
  /// What the program takes without any request, and for as many connections as it holds.
  private static let base = 96 << 20
  /// What a job takes besides the memory that decoding may have: rows, the grid, tables of colors.
  private static let jobOverhead = 32 << 20
  /// The least that a job is good for.
  private static let leastDecoding = 32 << 20

  /// The most bytes of all bodies together that wait to be answered.
  package let bodies: Int
  /// What decoding an image may take.
  package let decoding: Int
  /// How many images are decoded at a time.
  package let jobs: Int

  /// Shares memory out.
  ///
  /// - Parameters:
  ///   - memory: What there is; nil if that cannot be told.
  ///   - processors: How many images can be decoded at a time.
  ///   - jobs: How many are to be, where somebody has said so.
  ///   - decoding: What decoding an image has where memory suffices.
  ///   - largestBody: What a single body may take, for which there has to be room.
  package init(memory: Int?, processors: Int, jobs: Int?, decoding: Int, largestBody: Int) {
    let mostBodies = max(512 << 20, largestBody)
    let leastDecoding = min(decoding, Self.leastDecoding)
    let available = max(0, (memory ?? .max) - Self.base)
    let forBodies = min(mostBodies, max(largestBody, available / 4))
    let forDecoding = max(0, available - forBodies)
    let count = jobs ?? max(1, min(processors, forDecoding / (leastDecoding + Self.jobOverhead)))
    self.jobs = count
    self.decoding = max(leastDecoding, min(decoding, forDecoding / count - Self.jobOverhead))
    bodies = min(
      mostBodies, max(largestBody, available - count * (self.decoding + Self.jobOverhead)))
  }
}

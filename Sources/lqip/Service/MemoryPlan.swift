/// Divides the memory limit among jobs and bodies so that accepted work never exceeds it.
package struct MemoryPlan: Hashable, Sendable {
  /// What the program and its connections take without any request.
  private static let base = 96 << 20
  /// What a job takes besides the memory that decoding may have: rows, the grid, tables of colors.
  private static let jobOverhead = 32 << 20
  /// The least memory that decoding is planned with.
  private static let leastDecoding = 32 << 20

  /// The most bytes of all bodies together that are held at a time.
  package let bodies: Int
  /// What decoding an image may take.
  package let decoding: Int
  /// How many images are decoded at a time.
  package let jobs: Int

  /// Divides memory.
  ///
  /// - Parameters:
  ///   - memory: The limit; nil if it is unknown.
  ///   - processors: How many images can be decoded at a time.
  ///   - jobs: How many the user asked for; nil for as many as fit.
  ///   - decoding: The most memory that decoding an image may take.
  ///   - largestBody: What a single body may take, which always fits.
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

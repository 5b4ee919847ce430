/// Divides the memory limit among jobs and bodies so that accepted work never exceeds it.
package struct MemoryPlan: Hashable, Sendable {
  /// What the program and its connections take without any request.
  private static let base = 96 << 20
  /// What a job takes besides the memory that decoding may have: rows, the grid, tables of colors.
  private static let jobOverhead = 32 << 20
  /// The least memory that decoding is planned with.
  private static let leastDecoding = 32 << 20
  /// What a connection takes of the address space: a thread's stack, and what libraries keep for it.
  private static let connection = 640 << 10
  /// What the C library's allocator takes of it for threads that do not share with others.
  private static let arena = 128 << 20

  /// The most bytes of all bodies together that are held at a time.
  package let bodies: Int
  /// What decoding an image may take.
  package let decoding: Int
  /// How many images are decoded at a time.
  package let jobs: Int
  /// How many connections there is room for; nil where their number does not matter.
  package let connections: Int?
  /// How many threads may allocate memory at once without waiting for each other.
  package let arenas: Int

  /// Divides memory.
  ///
  /// - Parameters:
  ///   - memory: The limit; nil if it is unknown.
  ///   - addresses: What is left of the address space; nil without a limit.
  ///   - processors: How many processors the program may use.
  ///   - jobs: How many the user asked for; nil for as many as fit.
  ///   - decoding: The most memory that decoding an image may take.
  ///   - largestBody: What a single body may take, which always fits.
  package init(
    memory: Int?, addresses: Int? = nil, processors: Int, jobs: Int?, decoding: Int,
    largestBody: Int
  ) {
    let mostBodies = max(512 << 20, largestBody)
    let leastDecoding = min(decoding, Self.leastDecoding)
    // Stacks and arenas take much of the address space, of which little is ever touched.
    let least = min(memory ?? .max, addresses.map { $0 / 2 } ?? .max)
    let available = max(0, least - Self.base)
    let forBodies = min(mostBodies, max(largestBody, available / 4))
    let forDecoding = max(0, available - forBodies)
    // One more decodes while another wakes up for its turn, unless that leaves less memory for each.
    let share = forDecoding / (processors + 1) - Self.jobOverhead
    let most = processors > 1 && share >= decoding ? processors + 1 : processors
    let count = jobs ?? max(1, min(most, forDecoding / (leastDecoding + Self.jobOverhead)))
    self.jobs = count
    self.decoding = max(leastDecoding, min(decoding, forDecoding / count - Self.jobOverhead))
    bodies = min(
      mostBodies, max(largestBody, available - count * (self.decoding + Self.jobOverhead)))
    connections = addresses.map { $0 / 4 / Self.connection }
    arenas = min(count, addresses.map { 1 + $0 / 8 / Self.arena } ?? .max)
  }
}

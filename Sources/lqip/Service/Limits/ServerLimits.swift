import LqipSystem

/// Limits on what clients may use.
package struct ServerLimits: Hashable, Sendable {
  /// The most bytes of one body.
  package var bodyByteCount = 20 << 20
  /// The most bytes of all bodies together that wait to be answered.
  package var bufferedByteCount = 512 << 20
  /// The most bytes and fields of one head.
  var headByteCount = 16 << 10
  var fieldCount = 64

  package var connectionCount = 512
  /// How many more there may be for the moment in which one of them makes way.
  package var spareConnectionCount = 128

  /// The number of workers, and of requests that may wait for one.
  package var workerCount: Int
  package var queueLength: Int
  /// How long a request waits for a worker.
  package var queueDeadline = Duration.seconds(5)

  /// How long a head may take to arrive: from the connection, or from the end of its first line.
  var headDeadline = Duration.seconds(10)
  var bodyDeadline = Duration.seconds(30)
  /// How long a connection is kept for its next request: longer than proxies keep it, so that none
  /// sends a request on a connection that is being closed.
  package var idleDeadline = Duration.seconds(180)
  /// How long a request may take from its first line to the end of its response.
  package var requestDeadline = Duration.seconds(60)

  /// How long requests may take to finish after the server was told to stop.
  package var grace = Duration.seconds(120)

  /// What a connection takes of the address space.
  private static let connectionAddresses = 640 << 10
  /// How many of the descriptors are for files.
  private static let fileCount = 32

  /// How many descriptors all connections and files may take.
  package var descriptorCount: Int { connectionCount + spareConnectionCount + Self.fileCount }

  /// What the program takes without any request, and a worker besides the memory for decoding.
  private static let baseMemory = 96 << 20
  private static let workerMemory = 32 << 20
  /// The least memory that decoding is planned with.
  private static let leastDecoding = 32 << 20

  /// Divides memory among bodies and workers.
  ///
  /// - Parameters:
  ///   - memory: All that there is; nil if that is unknown.
  ///   - processors: The number of processors.
  ///   - workers: The number of workers that the user asked for; nil for as many as fit.
  ///   - decoding: The most memory that decoding an image may take, which is lowered where memory is short.
  ///   - largestBody: The most bytes of a body, for which there is always room.
  package init(
    memory: Int?, processors: Int, workers: Int?, decoding: inout Int, largestBody: Int
  ) {
    let available = max(0, (memory ?? .max) - Self.baseMemory)
    let bodies = min(max(512 << 20, largestBody), max(largestBody, available / 4))
    let rest = max(0, available - bodies)
    let least = min(decoding, Self.leastDecoding)
    // One more decodes while another thread wakes up for its turn, unless that leaves less memory for each.
    let share = rest / (processors + 1) - Self.workerMemory
    let most = processors > 1 && share >= decoding ? processors + 1 : processors
    let count = workers ?? max(1, min(most, rest / (least + Self.workerMemory)))
    decoding = max(least, min(decoding, rest / count - Self.workerMemory))
    self.init(jobs: count)
    bodyByteCount = largestBody
    let spare = available - count * (decoding + Self.workerMemory)
    bufferedByteCount = min(max(512 << 20, largestBody), max(bodies, spare))
  }

  /// Admits no more connections than there are descriptors for.
  package mutating func fit(descriptorCount: Int) {
    fit(connections: descriptorCount - Self.fileCount)
  }

  /// Keeps connections and bodies within half of the address space that is left: a connection has the stack of a
  /// thread.
  package mutating func fit(addresses: Int) {
    fit(connections: addresses / 4 / Self.connectionAddresses)
    bufferedByteCount = min(bufferedByteCount, max(bodyByteCount, addresses / 4))
  }

  /// Admits no more connections than there is room for.
  package mutating func fit(connections: Int) {
    let available = max(10, connections)
    spareConnectionCount = min(spareConnectionCount, available / 5)
    connectionCount = min(connectionCount, available - spareConnectionCount)
  }

  package init(jobs: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
    workerCount = jobs
    queueLength = 4 * jobs
  }
}

package import LqipSystem

/// The resource limits of a server.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum size of a body in bytes.
  package var bodyByteCount = 20 << 20
  /// The maximum total size of the bodies in memory, in bytes.
  package var bufferedByteCount = 512 << 20
  /// The maximum size of a request head in bytes.
  var headByteCount = 16 << 10
  /// The maximum number of header fields in a request.
  var fieldCount = 64

  /// The maximum number of open connections.
  package var connectionCount = 512

  package var workerCount: Int
  /// The maximum number of queued encode requests.
  package var queueLength: Int
  /// The maximum time that a request waits for a worker.
  package var queueTimeout = Duration.seconds(5)

  /// The time limit from connecting to the first request line, and from a request line to the end of the head.
  var headTimeout = Duration.seconds(10)
  /// The time limit for a request body.
  var bodyTimeout = Duration.seconds(30)
  /// The time limit for an idle connection between requests.
  ///
  /// It exceeds the idle timeout of common proxies. Otherwise, a proxy could send a request on a connection that is
  /// about to close.
  package var idleTimeout = Duration.seconds(180)
  /// The time limit for a request, from its first line to the end of the response.
  package var requestTimeout = Duration.seconds(60)

  /// The time limit for requests in flight at shutdown.
  package var grace = Duration.seconds(120)

  /// Returns the maximum number of queued requests for a type of work.
  ///
  /// A queued preview holds no body. Rejected clients that retry at once would use more CPU time than the previews.
  func queueLength(of work: RequestHandler.Work) -> Int {
    switch work {
    case .encoding: queueLength
    case .drawing: max(queueLength, connectionCount / 8)
    }
  }

  /// The address space of a connection in bytes.
  private static let connectionAddressSpace = 640 << 10
  /// The number of descriptors reserved for files.
  private static let fileCount = 32

  package var descriptorCount: Int { connectionCount + Self.fileCount }

  /// The number of threads and processes that are not connections: those of the server, the zygote, the workers, and two
  /// workers that are being replaced.
  package var baseThreadCount: Int { 10 + workerCount }
  /// The number of threads and processes for all connections.
  package var threadCount: Int { connectionCount + baseThreadCount }

  /// The memory of an idle server in bytes.
  private static let baseMemory = 96 << 20
  /// The minimum memory budgeted for decoding an image, in bytes.
  private static let minimumDecodingMemory = 32 << 20

  /// Creates limits that divide the available memory in bytes among bodies and workers.
  ///
  /// A worker that uses all the memory that its limits allow stays within its share. The number of workers is as
  /// requested, or as many as fit, but at least one. The memory for decoding an image is lowered if memory is short. A
  /// body of the maximum size always fits.
  package init(
    memory: Int?, processors: Int, workers: Int?, decoding: inout Int, largestBody: Int
  ) {
    let available = max(0, (memory ?? .max) - Self.baseMemory)
    // Besides decoding, a worker may use its base memory and a slot for the image.
    let workerMemory = WorkerSettings.baseMemory + min(largestBody, 1 << 40)
    let least = min(decoding, Self.minimumDecodingMemory)
    let quarter = min(available / 4, available - least - workerMemory)
    let bodies = min(max(512 << 20, largestBody), max(largestBody, quarter))
    let rest = max(0, available - bodies)
    // With enough memory, an extra worker decodes while the thread of another one wakes up.
    let share = rest / (processors + 1) - workerMemory
    let most = processors > 1 && share >= decoding ? processors + 1 : processors
    let count = workers ?? max(1, min(most, rest / (least + workerMemory)))
    decoding = max(least, min(decoding, rest / count - workerMemory))
    self.init(jobs: count)
    bodyByteCount = largestBody
    let spare = available - count * (decoding + workerMemory)
    bufferedByteCount = min(max(512 << 20, largestBody), max(bodies, spare))
  }

  /// Lowers the limits to fit the available descriptors, threads and half of the free address space.
  ///
  /// Each connection needs address space for the stack of its thread. There are at least 10 connections.
  package mutating func fit(_ spare: SpareResources) {
    let addresses = spare.addressByteCount ?? .max
    bufferedByteCount = min(bufferedByteCount, max(bodyByteCount, addresses / 4))
    connectionCount = min(
      connectionCount,
      max(
        10,
        min(
          spare.descriptorCount - Self.fileCount, spare.threadCount - baseThreadCount,
          addresses / 4 / Self.connectionAddressSpace)))
  }

  /// Creates the default limits for a number of workers.
  package init(jobs: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
    workerCount = jobs
    queueLength = 4 * jobs
  }
}

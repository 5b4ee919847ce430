internal import LqipFiles

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
  /// The most connections of one client; nil for any number, as a proxy speaks for everyone.
  package var connectionCountPerAddress: Int?

  /// How many requests decode at once, and how many more may wait for that.
  package var decodeSlotCount: Int
  package var decodeQueueLength: Int
  /// How long a request waits for its turn to decode.
  package var decodeQueueDeadline = Duration.seconds(5)

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

  /// How many of the descriptors are for files.
  private static let fileCount = 32

  /// How many descriptors all connections and files may take.
  package var descriptorCount: Int { connectionCount + spareConnectionCount + Self.fileCount }

  /// Admits no more connections than there are descriptors for.
  package mutating func fit(descriptorCount: Int) {
    fit(connections: descriptorCount - Self.fileCount)
  }

  /// Admits no more connections than there is room for.
  package mutating func fit(connections: Int) {
    let available = max(10, connections)
    spareConnectionCount = min(spareConnectionCount, available / 5)
    connectionCount = min(connectionCount, available - spareConnectionCount)
  }

  package init(jobs: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
    decodeSlotCount = jobs
    decodeQueueLength = 4 * jobs
  }
}

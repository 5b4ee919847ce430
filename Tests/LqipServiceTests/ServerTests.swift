import PlaceholdersTestSupport
import Testing

@testable import LqipService

/// What is tested over sockets; one at a time, so that deadlines are met on a busy machine too.
@Suite(.serialized) enum ServerTests {
  /// A request inside a body or behind it, which must not be answered where the two can be taken for each other.
  static let hiddenRequest = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
}

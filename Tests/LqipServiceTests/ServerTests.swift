import PlaceholdersTestSupport
import Testing

@testable import LqipService

/// Tests over sockets, which run one at a time so that deadlines hold on a busy machine.
@Suite(.serialized) enum ServerTests {
  /// A request smuggled in or after a body, which the server must not answer if the framing is
  /// ambiguous.
  static let smuggledRequest = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
}

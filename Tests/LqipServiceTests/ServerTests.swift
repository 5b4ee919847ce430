import PlaceholdersTestSupport
import Testing

@testable import LqipService

/// What is tested over sockets; one at a time, so that deadlines are met on a busy machine too.
@Suite(.serialized) enum ServerTests {}

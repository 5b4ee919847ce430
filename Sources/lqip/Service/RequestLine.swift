/// The first line of a request as the library has read it, and what there is to say of the rest.
struct RequestLine: Sendable {
  /// The method as it was sent, such as `GET`.
  let method: String
  /// The path with its percent escapes resolved, without the query.
  let path: String
  /// The version as it was sent, such as `HTTP/1.1`.
  let version: String
  /// Whether all that follows is written as RFC 9112 demands.
  let isHeadStrict: Bool
}

/// What a client says before the body of its request.
struct RequestHead: Sendable {
  /// The method as it was sent, such as `GET`.
  let method: String
  /// The path with its percent escapes resolved, without the query.
  let path: String
  /// The query's parameters in their order, with their escapes resolved.
  let query: [(name: String, value: String)]
  /// The header fields in their order, with their names in lower case.
  let fields: [(name: String, value: String)]
  /// The request's ID in logs and in the response: the client's, or one of ours.
  let id: String

  /// The value of a header field, which is not there or there once.
  subscript(field name: String) -> String? {
    fields.first { $0.name == name }?.value
  }
}

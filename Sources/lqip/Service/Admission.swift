/// What is to become of a request, decided by its head alone.
enum Admission: Sendable {
  /// Answer without reading the body; the route is nil if there is none.
  case refuse(Response, route: String? = nil)
  /// Read the body and answer.
  ///
  /// - Parameters:
  ///   - route: The route's pattern, for the log and the metrics.
  ///   - maximumBodyByteCount: The most bytes that are read; a body over it is refused.
  ///   - decodes: Whether the answer takes a decode slot.
  case accept(route: String, maximumBodyByteCount: Int, decodes: Bool)
}

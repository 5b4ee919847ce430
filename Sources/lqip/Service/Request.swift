/// A request that has arrived whole.
struct Request: Sendable {
  let head: RequestHead
  let body: BodyBytes
}

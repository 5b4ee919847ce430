internal import LqipRecords

/// A request that has arrived whole.
struct Request {
  let head: RequestHead
  let body: BodyBytes
  /// Decodes an image of the request within a time, in a worker.
  let decode: (_ task: ImageTask, _ bytes: Span<UInt8>, _ time: Duration) -> ImageReply
}

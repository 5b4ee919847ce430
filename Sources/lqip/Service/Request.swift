internal import LqipFiles

/// A request that has arrived whole.
struct Request: Sendable {
  /// What came after the head.
  enum Body: Sendable {
    case bytes([UInt8])
    /// The files of a form, in their order.
    case files([File])
  }

  /// One file of a `multipart/form-data` body.
  struct File: Sendable {
    /// The name that the client gives it; empty for none.
    let name: FilePath
    let bytes: [UInt8]
  }

  let head: RequestHead
  let body: Body
}

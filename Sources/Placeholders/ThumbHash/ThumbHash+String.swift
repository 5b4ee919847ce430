extension ThumbHash: CustomStringConvertible {
  /// Reads base64, strictly.
  ///
  /// - Parameter string: The hash as RFC 4648 section 4 writes it, with padding.
  /// - Throws: ``ThumbHashError``, for any text that no encoder could have written.
  public init(_ string: String) throws(ThumbHashError) {
    guard let bytes = Base64.decode(string.utf8) else { throw .notBase64 }
    try self.init(bytes: bytes)
  }

  /// The hash in base64, with padding.
  public var string: String { Base64.encode(bytes) }

  /// The hash in base64.
  public var description: String { string }
}

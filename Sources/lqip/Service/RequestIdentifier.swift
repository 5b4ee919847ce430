internal import LqipFiles

/// Makes the ID of a request for logs and its response.
enum RequestIdentifier {
  /// The client's own ID if it is harmless to repeat, or else a random one.
  static func identifier(given: String?) -> String {
    guard let given, (1...128).contains(given.utf8.count), given.utf8.allSatisfy(isHarmless) else {
      return made()
    }
    return given
  }

  private static func isHarmless(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "._-".utf8.contains(byte)
  }

  private static func made() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

import Foundation

extension String {
  /// The text as a JavaScript literal.
  var javaScript: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }
}

/// The text is no record, or none that this program wrote.
struct MalformedRecord: Error {
  /// Makes sure that text is UTF-8.
  static func check(_ text: [UInt8], _ bounds: Range<Int>) throws(MalformedRecord) {
    let text = text[bounds]
    if #available(macOS 26, *) {
      do {
        _ = try UTF8Span(validating: text.span)
      } catch {
        throw MalformedRecord()
      }
    } else if String(validating: text, as: UTF8.self) == nil {
      throw MalformedRecord()
    }
  }
}

/// The text is no record, or none that this program wrote.
struct MalformedRecord: Error {
  /// Makes sure that text is UTF-8.
  static func check(_ text: [UInt8], _ bounds: Range<Int>) throws(MalformedRecord) {
    do {
      _ = try UTF8Span(validating: text.span.extracting(bounds))
    } catch {
      throw MalformedRecord()
    }
  }
}

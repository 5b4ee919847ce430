import Placeholders
import TestSupport

extension PlainPNG {
  /// Reads the pixels of a fixture.
  static func bitmap(_ name: String) throws -> Bitmap {
    try PlainPNG(try Fixtures.bytes(name)).bitmap()
  }
}

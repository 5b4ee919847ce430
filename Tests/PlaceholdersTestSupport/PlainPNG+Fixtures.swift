package import PlaceholderEncoding

extension PlainPNG {
  /// Reads the pixels of a fixture.
  package static func bitmap(_ name: String) throws -> RGBABitmap {
    try PlainPNG(try Fixtures.bytes(name)).bitmap()
  }
}

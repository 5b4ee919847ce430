import Testing

@testable import Placeholders

@Suite struct ImageOrientationTests {
  /// Source: Exif 2.32, tag 0x0112.
  @Test func `orientations 5 to 8 swap rows and columns`() {
    let swapping = (1...8).filter { ImageOrientation(rawValue: $0)?.swapsAxes == true }
    #expect(swapping == [5, 6, 7, 8])
  }
}

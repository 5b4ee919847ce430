import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ThumbHashSpectraTests {
  private static let terms = TriangularTerms(x: 7, y: 5)

  private static func spectra(_ spectra: ThumbHashSpectra) -> [ThumbHashSpectrum] {
    [spectra.lightness, spectra.yellow, spectra.red]
  }

  @Test(arguments: [(100, 67), (67, 100), (33, 21), (8, 8), (100, 100)])
  func `the quick transform gives the published terms`(width: Int, height: Int) throws {
    let bitmap = PixelGrid.noise(width: width, height: height).bitmap(width: width, height: height)
    let quick = Self.spectra(try #require(ThumbHashSpectra(quickly: bitmap, Self.terms)))
    let published = Self.spectra(ThumbHashSpectra(bitmap, Self.terms, hasAlpha: false))
    for (quick, published) in zip(quick, published) {
      #expect(abs(quick.average - published.average) < 1e-13)
      #expect(abs(quick.scale - published.scale) < 1e-13)
      #expect(quick.digits == published.digits)
    }
  }

  @Test func `what rounding errors could change is left to the published order`() throws {
    let noise = PixelGrid.noise(width: 50, height: 40).bitmap(width: 50, height: 40)
    let samples = noise.samples.indices.map { noise.samples[$0 / 3 * 3] }
    let gray = Bitmap(width: 50, height: 40, samples: samples)
    #expect(ThumbHashSpectra(quickly: gray, Self.terms) == nil, "no color, and so no scale")
  }

  @Test func `a number is in doubt where it lies next to a half`() {
    func isCertain(_ term: Double, header: Double) -> Bool {
      var terms = ThumbHashTransform.Terms(repeating: SIMD8(repeating: 0.1), count: 7)
      terms[0] = [0, 0.3, term, 0, 0, 0, 0, 0]
      return ThumbHashSpectrum(terms, .color).isCertain(header: [header])
    }
    #expect(isCertain(0.1, header: 31.4) && isCertain(0.041, header: 31.501))
    // 7.5 + 7.5 · 0.04 / 0.3 = 8.5
    for error in [-1e-13, 0, 1e-13] {
      #expect(!isCertain(0.04 + error, header: 31.4) && !isCertain(0.1, header: 31.5 + error))
    }
  }
}

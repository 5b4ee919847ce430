/// The terms of all channels of a ThumbHash.
struct ThumbHashSpectra {
  let lightness: ThumbHashSpectrum
  let yellow: ThumbHashSpectrum
  let red: ThumbHashSpectrum
  private(set) var alpha: ThumbHashSpectrum?

  /// Transforms an image as the published algorithm does.
  init(_ bitmap: Bitmap, _ lightnessTerms: TriangularTerms, hasAlpha: Bool) {
    let planes = ThumbHashPlanes(bitmap)
    let columns = ThumbHash.cosines(length: bitmap.width)
    let rows = ThumbHash.cosines(length: bitmap.height)
    func spectrum(_ plane: [Double], _ terms: TriangularTerms) -> ThumbHashSpectrum {
      ThumbHashSpectrum(of: plane, terms, columns: columns, rows: rows)
    }
    lightness = spectrum(planes.lightness, lightnessTerms)
    yellow = spectrum(planes.yellow, .color)
    red = spectrum(planes.red, .color)
    alpha = hasAlpha ? spectrum(planes.alpha, .alpha) : nil
  }

  /// Transforms an opaque image in another order; nil where that might change a digit.
  init?(quickly bitmap: Bitmap, _ lightnessTerms: TriangularTerms) {
    let transform = ThumbHashTransform(bitmap)
    lightness = ThumbHashSpectrum(transform.lightness, lightnessTerms)
    yellow = ThumbHashSpectrum(transform.yellow, .color)
    red = ThumbHashSpectrum(transform.red, .color)
    guard
      lightness.isCertain(header: [63 * lightness.average, 31 * lightness.scale]),
      yellow.isCertain(header: [31.5 + 31.5 * yellow.average, 63 * yellow.scale]),
      red.isCertain(header: [31.5 + 31.5 * red.average, 63 * red.scale])
    else { return nil }
  }
}

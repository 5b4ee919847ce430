internal import Placeholders

/// What the rows of a reader are made of.
struct RowLayout {
  /// Pixels a row.
  let width: Int

  /// Rows of the whole image.
  let height: Int

  /// Stored pixels a decoded one, along each axis: 1, 2, 4 or 8.
  var scale = 1

  /// The 8-bit samples of a pixel.
  let samples: SampleLayout

  /// What the samples mean.
  let profile: ColorProfile
}

/// Ways to choose the three colors of a packed LQIP; what draws it is the same for all.
@nonexhaustive
public enum LQIPEncoding: String, Sendable, Hashable, CaseIterable {
  /// The colors whose placeholder, as it is drawn, is closest to the image.
  case fitted

  /// The means of three of 3×3 equal parts, on the diagonal, each channel rounded by itself.
  ///
  /// Source: frzi/lqip-css, which takes the pixels of a browser's 3×3 thumbnail.
  case corners
}

/// Ways to choose the terms of a BlurHash; every decoder reads both.
@nonexhaustive
public enum BlurHashEncoding: String, Sendable, Hashable, CaseIterable {
  /// The terms of the C reference.
  case reference

  /// The hash whose preview is closest to the image.
  case fitted
}

/// What can be made of an image, all in one pass.
@nonexhaustive
public enum PlaceholderKind: String, Sendable, Hashable, CaseIterable {
  /// A text of some 30 digits, for a blurred preview.
  case blurHash = "blurhash"
  /// Three colors in 32 bits, or six in twice as many, drawn by a stylesheet.
  case lqip
  /// Some 25 bytes in base64, for a blurred preview with shape and transparency.
  case thumbHash = "thumbhash"
  /// A tiny image as a data URL.
  case preview
  /// The same within an SVG that blurs it.
  case svg
  /// One integer, drawn by a stylesheet.
  case css
  /// The colors that it is mostly made of, with their shares.
  case palette
}

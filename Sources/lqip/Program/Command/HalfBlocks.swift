import PlaceholderEncoding

/// Renders a bitmap as text for a terminal with 24-bit color, with two pixels per character.
enum HalfBlocks {
  /// Returns a bitmap as text, with one line for every two rows of pixels; mostly transparent pixels stay blank.
  static func text(_ bitmap: RGBABitmap) -> String {
    var text = ""
    for y in stride(from: 0, to: bitmap.height, by: 2) {
      for x in 0..<bitmap.width {
        switch (color(bitmap, x, y), color(bitmap, x, y + 1)) {
        case (nil, nil): text += " "
        case (let upper?, nil): text += "\u{1B}[38;2;\(upper)m▀\u{1B}[0m"
        case (nil, let lower?): text += "\u{1B}[38;2;\(lower)m▄\u{1B}[0m"
        case (let upper?, let lower?):
          text += "\u{1B}[38;2;\(upper);48;2;\(lower)m▀\u{1B}[0m"
        }
      }
      text += "\n"
    }
    return text
  }

  /// Returns the color of a pixel as `R;G;B`; `nil` if the pixel is mostly transparent or outside the bitmap.
  private static func color(_ bitmap: RGBABitmap, _ x: Int, _ y: Int) -> String? {
    guard y < bitmap.height else { return nil }
    let pixel = bitmap.pixels.dropFirst((y * bitmap.width + x) * 4).prefix(4)
    guard pixel.last ?? 0 > 127 else { return nil }
    return pixel.prefix(3).map(\.description).joined(separator: ";")
  }
}

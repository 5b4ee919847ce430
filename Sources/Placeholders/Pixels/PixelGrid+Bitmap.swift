extension PixelGrid {
  /// Draws the image small, averaged in linear light.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  /// - Returns: The nearest samples; free of the background, with alpha unless all are opaque.
  /// - Precondition: Both sides are positive.
  /// - Complexity: O(cells + `width * height`).
  public func bitmap(width: Int, height: Int) -> Bitmap {
    GridSampler(self).bitmap(width: width, height: height)
  }
}

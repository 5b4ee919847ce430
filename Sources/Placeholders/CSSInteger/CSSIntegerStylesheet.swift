extension CSSInteger {
  /// The stylesheet that renders CSS integers as the backgrounds of elements, without scripts.
  ///
  /// An element sets a value with `style="--lqip-css:192900"`. The stylesheet can be combined with ``LQIP/stylesheet``,
  /// and with the stylesheet in Lean Rada's article, which uses `--lqip`.
  public static var stylesheet: String { CSSIntegerStylesheet.text }
}

enum CSSIntegerStylesheet {
  static let text: String = """
    /*
     * Renders a preview from one integer while an image loads:
     *
     *   <img style="--lqip-css:192900">
     *
     * The attribute data-loaded removes the placeholder. There is none in print or with forced colors.
     *
     * The encoding, a base color and six brightness levels in 20 bits, and the gradients are Lean
     * Rada's: https://leanrada.com/notes/css-only-lqip/
     */

    \(lines { LQIPStylesheet.registration("lqip-css-l\($0)", syntax: "<integer>", initial: "0") })
    \(lines { LQIPStylesheet.registration("lqip-css-c\($0)", initial: "#0000") })
    \(LQIPStylesheet.registration("lqip-css-base"))

    \(LQIPStylesheet.selector("lqip-css")) {
    \(lines(level))
      --lqip-css-base: oklab(
        calc(\(field(shift: 6, count: 4)) / 3 * .6 + .2)
        calc(\(field(shift: 3, count: 8)) / 8 * .7 - .35)
        calc((\(field(shift: 0, count: 8)) + 1) / 8 * .7 - .35));
      background-color: var(--lqip-css-base);
      background-image:
    \(lines(separator: ",\n", gradient));
    }

    \(LQIPStylesheet.removalRules("[style*=\"--lqip-css\"]"))

    """

  /// Joins the lines of the six cells.
  private static func lines(separator: String = "\n", _ line: (_ cell: Int) -> String) -> String {
    CSSInteger.gradients.indices.map(line).joined(separator: separator)
  }

  /// Returns the expression for a bit field of the integer; `count` is the number of possible values of the field.
  private static func field(shift: Int, count: Int) -> String {
    "mod(round(down, (var(--lqip-css) + 524288) / \(1 << shift)), \(count))"
  }

  /// Returns the declarations of a cell's level and color.
  ///
  /// The color is black or white; its opacity has the same effect as blending the cell's gray in hard light.
  ///
  /// Browsers round each layer to 8 bits, and blending in hard light would double the rounding error.
  private static func level(_ cell: Int) -> String {
    let level = "var(--lqip-css-l\(cell))"
    return """
        --lqip-css-l\(cell): \(field(shift: 18 - 2 * cell, count: 4));
        --lqip-css-c\(cell): hsl(0 0% calc(clamp(0, \(level) - 1, 1) * 100%) /
          max(\(level) * .4 - .6, .6 - \(level) * .4));
      """
  }

  /// Returns the gradient of a cell, with the opacities of ``LQIPGradient/stops``.
  private static func gradient(_ cell: Int) -> String {
    CSSInteger.gradients[cell].css {
      "rgb(from var(--lqip-css-c\(cell)) r g b / calc(alpha * \($0) / 100))"
    }
  }
}

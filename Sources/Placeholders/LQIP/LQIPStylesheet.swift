extension LQIP {
  /// The stylesheet that renders LQIPs as the backgrounds of elements, without scripts.
  ///
  /// An element sets ``first`` with `style="--lqip:#ccd94c11"` or, in browsers that support typed `attr()`, with
  /// `data-lqip="#ccd94c11"`. It sets ``second`` with `--lqip2` or `data-lqip2`.
  public static var stylesheet: String { LQIPStylesheet.text }
}

/// The text of ``LQIP/stylesheet``.
///
/// The properties of the unpacked colors are registered, which more than halves the time per element. The properties of
/// the packed values are not, because browsers serialize the alpha of registered colors with three decimals. A page can
/// still register them, because the stylesheet rounds the alpha byte.
enum LQIPStylesheet {
  static let text: String = """
    /*
     * Renders a preview from 32 bits while an image loads:
     *
     *   <img style="--lqip:#ccd94c11">   or, with typed attr(),   <img data-lqip="#ccd94c11">
     *
     * A second value in --lqip2 or data-lqip2 adds three more colors.
     *
     * The value is not a color. It packs the red, green and blue of three colors, from the highest
     * bit: 4, 4 and 3 bits, 4, 4 and 3, then 3, 4 and 3. A field n of b bits is n / (2^b - 1).
     *
     * Only background-color and background-image are set. The attribute data-loaded removes both, so
     * that nothing shows through transparent pixels. There is no placeholder in print or with forced
     * colors.
     */

    /* Unpacked once, not for each use; gray if the browser or the value is not supported. */
    \((0...LQIPGradient.forSixColors.count).map { registration("lqip-c\($0)") }.joined(separator: "\n"))

    \(selector("lqip")), [data-lqip] {
    \(unpacking("lqip", firstColor: 0))
      background-color: var(--lqip-c0);
    \(backgroundImage(LQIPGradient.forThreeColors))
    }

    \(selector("lqip2")), [data-lqip2] {
    \(unpacking("lqip2", firstColor: 3))
    \(backgroundImage(LQIPGradient.forSixColors))
    }

    [data-lqip] { --lqip: attr(data-lqip type(<color>)); }
    [data-lqip2] { --lqip2: attr(data-lqip2 type(<color>)); }

    \(removalRules("[style*=\"--lqip\"], [data-lqip]"))

    @supports not (color: rgb(from #000 round(down, r / 2) mod(g, 2) round(alpha * 255))) {
      \(selector("lqip")), [data-lqip] { background: gray; }
    }

    """

  /// Returns the rules that remove the placeholder from loaded elements, and from all elements in print or with forced
  /// colors.
  static func removalRules(_ elements: String) -> String {
    let none = "{ background-color: transparent; background-image: none; }"
    return """
      [data-loaded]:is(\(elements)) \(none)
      @media print, (forced-colors: active) {
        :is(\(elements)):is(*, #lqip) \(none)
      }
      """
  }

  /// Returns the registration of a property that elements do not inherit.
  static func registration(
    _ name: String, syntax: String = "<color>", initial: String = "gray"
  ) -> String {
    "@property --\(name) { syntax: \"\(syntax)\"; inherits: false; initial-value: \(initial); }"
  }

  /// Returns a selector for the elements whose `style` sets a property, with or without a space before the colon.
  static func selector(_ name: String) -> String {
    "[style*=\"--\(name):\"], [style*=\"--\(name) :\"]"
  }

  /// Returns the declarations that unpack the three colors of a value.
  private static func unpacking(_ name: String, firstColor: Int) -> String {
    (0..<3).map { index in
      let channels = (3 * index..<3 * index + 3).map { "    \(channel($0))" }
      return """
          --lqip-c\(firstColor + index): rgb(from var(--\(name))
        \(channels.joined(separator: "\n")) / 1);
        """
    }.joined(separator: "\n")
  }

  /// Returns the expression for a channel in 0...255; its bit field may span two bytes.
  private static func channel(_ field: Int) -> String {
    let (width, shift) = (LQIP.PackedColors.widths[field], LQIP.PackedColors.shifts[field])
    let end = shift + width
    let parts = zip(["r", "g", "b", "round(alpha * 255)"], [24, 16, 8, 0] as [UInt32])
      .compactMap { byte, byteShift -> String? in
        let lowest = max(shift, byteShift)
        let highest = min(end, byteShift + 8)
        guard lowest < highest else { return nil }
        var part = byte
        if lowest > byteShift { part = "round(down, \(part) / \(1 << (lowest - byteShift)))" }
        if highest < byteShift + 8 { part = "mod(\(part), \(1 << (highest - lowest)))" }
        return lowest > shift ? "\(part) * \(1 << (lowest - shift))" : part
      }
    let field = parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " + ")))"
    return "calc(\(field) * 255 / \(1 << width - 1))"
  }

  /// Returns the declaration of the gradients, in reverse order, because CSS draws the first image on top.
  private static func backgroundImage(_ layers: [LQIPGradient]) -> String {
    let images = layers.enumerated().reversed().map { index, layer in
      layer.css { "rgb(from var(--lqip-c\(index + 1)) r g b / \($0)%)" }
    }
    return "  background-image:\n\(images.joined(separator: ",\n"));"
  }
}

extension LQIPGradient {
  /// Returns the gradient in CSS, indented; `stop` returns the color of a stop with an opacity in percent.
  func css(_ stop: (_ opacity: Int) -> String) -> String {
    func percent(_ lengths: SIMD2<Float>) -> String {
      [lengths.x, lengths.y].map { length in
        let hundredths = Int((length * 10_000).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100)" + (rest == 0 ? "" : ".\(rest)") + "%"
      }.joined(separator: " ")
    }
    // CSS spaces the stops evenly.
    let stops = Self.stops.map { stop(Int(($0 * 100).rounded())) }
    return """
          radial-gradient(\(percent(radius)) at \(percent(center)) in srgb,
            \(stops.joined(separator: ", ")))
      """
  }
}

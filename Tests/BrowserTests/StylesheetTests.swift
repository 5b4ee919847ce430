import PlaceholdersTestSupport
import Testing

@testable import Placeholders

extension BrowserTests {
  @Suite struct StylesheetTests {
    /// A script whose function `digits` returns an element's painted colors in hexadecimal, one digit per field.
    private static let reader = """
      const largest = [15, 15, 7, 15, 15, 7, 7, 15, 7];
      const shapes = new Set();
      function digits(element) {
        const { backgroundColor, backgroundImage } = getComputedStyle(element);
        const layers = [backgroundColor, ...backgroundImage.split("radial-gradient").slice(1).reverse()];
        const colors = layers.map((layer) => /srgb ([-.e0-9]+) ([-.e0-9]+) ([-.e0-9]+)/.exec(layer));
        // Apart from their colors, the layers are the same for all values.
        shapes.add(layers.map((layer, index) => layer.replaceAll(colors[index][0], "")).join());
        return colors.flatMap((color) => color.slice(1)).map((channel, index) => {
          const field = channel * largest[index % 9];
          const nearest = Math.round(field);
          return Math.abs(field - nearest) < 1e-4 ? nearest.toString(16) : "?";
        }).join("");
      }
      """

    private let directory = TemporaryDirectory()

    /// Runs a function body on a page with a stylesheet, and returns the words of the returned text.
    private func results(of script: String, style: String, body: String = "") throws -> [String] {
      let page =
        "<!doctype html><meta charset=\"utf-8\"><title>page</title><style>\(style)</style>"
        + "<body>\(body)<script>\(Self.reader)</script>"
      let file = try directory.write("page.html", Array(page.utf8))
      let session = try Browser.chromium.open("file://\(file)")
      let text = try session.evaluate("(() => { \(script) })()")
      #expect(session.messages == [])
      return text.split(separator: " ").map(String.init)
    }

    private static func digits(_ values: UInt32...) -> String {
      values.map { value in
        let levels = LQIP.PackedColors(rawValue: value).levels
        return (0..<9).map { String(Int(levels[$0]), radix: 16) }.joined()
      }.joined()
    }

    private static func hex(_ value: UInt32) -> String {
      LQIP.PackedColors(rawValue: value).description
    }

    /// Returns pseudorandom numbers, the same in each run.
    private static func scattered(_ count: Int) -> [UInt32] {
      var random = LCG(seed: 32)
      return (0..<count).map { _ in random.nextHalf() }
    }

    /// Every value of each byte, with pseudorandom values of the other bytes.
    private static let everyByte = zip(
      scattered(1024), (0..<4).flatMap { byte in (0..<256 as Range<UInt32>).map { ($0, byte) } }
    ).map { others, value in
      others & ~(0xFF << (8 * UInt32(value.1))) | value.0 << (8 * UInt32(value.1))
    }

    @Test func `the stylesheet paints each value with exactly its packed colors`() throws {
      let scattered = Self.scattered(20_000)
      let values = Self.everyByte + scattered.prefix(10_000)
      let seconds = Self.everyByte.reversed() + scattered.suffix(10_000)
      var results = try results(
        of: """
          const values = "\(zip(values, seconds).map { Self.hex($0) + Self.hex($1) }.joined())"
            .match(/#.{8}#.{8}/g);
          const results = [];
          const host = document.body.appendChild(document.createElement("div"));
          for (let start = 0; start < values.length; start += 500) {
            host.innerHTML = values.slice(start, start + 500).map((pair) =>
              `<i style="--lqip:${pair.slice(0, 9)};--lqip2:${pair.slice(9)}"></i>`).join("");
            for (const element of host.children) results.push(digits(element));
          }
          return [...results, shapes.size].join(" ");
          """, style: LQIP.stylesheet)
      #expect(results.popLast() == "1", "all values have the same layers")
      try #require(results.count == values.count)
      for (index, painted) in results.enumerated()
      where painted != Self.digits(values[index], seconds[index]) {
        Issue.record("\(Self.hex(values[index])), \(Self.hex(seconds[index])): \(painted)")
      }
    }

    @Test(arguments: [
      "", "@property --lqip { syntax: '<color>'; inherits: false; initial-value: red }",
    ])
    func `a value is accepted in several CSS and attribute notations`(style: String) throws {
      let values = (0..<256 as Range<UInt32>).map { 0x6590_F600 ^ $0 &* 0x0001_0101 }
      let results = try results(
        of: """
          const results = [];
          const values = \(values.map(Self.hex));
          values.forEach((value, index) => {
            const name = ["img", "div", "button"][index % 3];
            for (const markup of [
              `style="--lqip:${value}"`, `style="--lqip: ${value}"`, `style="--lqip : ${value}"`,
              `style="color: red; --lqip:${value.toUpperCase()};"`, `data-lqip="${value}"`,
              `data-lqip="#00000000" style="--lqip:${value}"`,
            ]) {
              document.body.innerHTML =
                `<p style="--lqip:#123;--lqip2:#123"><${name} ${markup}></${name}></p>`;
              results.push(digits(document.querySelector(name)));
            }
          });
          return results.join(" ");
          """, style: LQIP.stylesheet + style)
      #expect(results == values.flatMap { repeatElement(Self.digits($0), count: 6) })
    }

    /// Simulates browsers without typed `attr()`, which `data-lqip` needs, and without relative colors.
    @Test(arguments: [
      ("", "three gray gray none"), ("attr(", "gray gray gray none"),
      ("rgb(from ", "gray gray gray none"),
    ])
    func `a value that cannot be unpacked is gray`(missing: String, expected: String) throws {
      let stylesheet =
        missing.isEmpty
        ? LQIP.stylesheet : LQIP.stylesheet.replacing(missing, with: "no-such(")
      let results = try results(
        of: """
          return [...document.querySelectorAll("i")].map((element) => {
            const { backgroundColor, backgroundImage } = getComputedStyle(element);
            const text = backgroundColor + backgroundImage.replaceAll("srgb,", "");
            const colors = new Set(text.match(/rgba?\\([^)]+|(?<=srgb )[.0-9]+ [.0-9]+ [.0-9]+/g));
            return {
              "rgb(128, 128, 128": "gray", "rgb(128, 128, 128|0.501961 0.501961 0.501961": "gray",
              "rgba(0, 0, 0, 0": "none",
            }[[...colors].join("|")] ?? (colors.size == 3 ? "three" : text);
          }).join(" ");
          """, style: stylesheet,
        body: """
          <i data-lqip="#ccd94c11"></i><i data-lqip="no color"></i><i style="--lqip:no color"></i>
          <i style="--lqipx:#ccd94c11"></i>
          """)
      #expect(results.joined(separator: " ") == expected)
    }
  }
}

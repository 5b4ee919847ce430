import PlaceholderViews
import Placeholders
import SwiftUI

/// A generator with a fixed seed.
struct Random: RandomNumberGenerator {
  var state: UInt64 = 57
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 11 &* 0x9E37_79B9_7F4A_7C15
  }
}
var random = Random()

// What `LQIPView` fills, for BrowserTests to draw in a browser.
for index in 0..<50 {
  let values = (0..<(index < 40 ? 1 : 2)).map { _ in
    let bits = UInt64.random(in: 1 << 32..<2 << 32, using: &random)
    return "#" + String(bits, radix: 16).dropFirst()
  }.joined(separator: " ")
  guard let lqip = LQIP(values),
    let canvas = (LQIPView(lqip).body as? Modified<Modified<Canvas>>)?.content.content
  else { fatalError("no canvas") }
  for (width, height) in [(80, 60), (45, 90), (120, 24)] {
    var context = GraphicsContext()
    GraphicsContext.fills = []
    canvas.renderer(&context, CGSize(width: width, height: height))
    let fills = GraphicsContext.fills.joined(separator: ",")
    print(#"{"lqip":"\#(lqip)","width":\#(width),"height":\#(height),"fills":[\#(fills)]}"#)
  }
}

// A hash with a character too many, too few, or from outside of the alphabet is malformed.
let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
precondition(Image(blurHash: hash) != nil && PlaceholderValue(field: "blurhash", hash) != nil)
precondition(Image(blurHash: hash, size: CGSize(width: Double.nan, height: 4)) == nil)
precondition(Image(blurHash: hash, size: CGSize(width: Double.infinity, height: 4)) != nil)
for index in 0..<10_000 {
  var text = Array(hash)
  let position = Int.random(in: 0..<text.count, using: &random)
  switch index % 3 {
  case 0: text.remove(at: position)
  case 1: text.insert(text.randomElement(using: &random) ?? "L", at: position)
  default: text[position] = Array(" \"'()/<>\\`é\u{0}🌄").randomElement(using: &random) ?? " "
  }
  precondition(Image(blurHash: String(text)) == nil, "\(text)")
  precondition(PlaceholderValue(field: "blurhash", String(text)) == nil, "\(text)")
}

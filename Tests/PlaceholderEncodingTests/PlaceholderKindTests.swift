import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PlaceholderKindTests {
  /// The kinds that a result contains.
  private func kinds(of image: ImagePlaceholders) -> Set<PlaceholderKind> {
    var kinds: Set<PlaceholderKind> = []
    if image.blurHash != nil { kinds.insert(.blurHash) }
    if image.lqip != nil { kinds.insert(.lqip) }
    if image.thumbHash != nil { kinds.insert(.thumbHash) }
    if image.tiny != nil { kinds.insert(.tiny) }
    if image.preview != nil { kinds.insert(.preview) }
    if image.css != nil { kinds.insert(.css) }
    if image.palette != nil { kinds.insert(.palette) }
    return kinds
  }

  @Test(arguments: PlaceholderKind.allCases)
  func `only the requested kind is generated`(kind: PlaceholderKind) throws {
    let image = try PlaceholderEncoder { $0.kinds = [kind] }.encode(fixture: "size-300x200.png")
    #expect(kinds(of: image) == (kind == .svg ? [.preview] : [kind]))
  }

  @Test func `placeholders generated together equal those generated alone`() throws {
    let all = try PlaceholderEncoder { $0.kinds = Set(PlaceholderKind.allCases) }
      .encode(fixture: "png-rgba-8-bit.png")
    for kind in PlaceholderKind.allCases {
      let one = try PlaceholderEncoder { $0.kinds = [kind] }.encode(fixture: "png-rgba-8-bit.png")
      #expect(one.blurHash == nil || one.blurHash == all.blurHash)
      #expect(one.lqip == nil || one.lqip == all.lqip)
      #expect(one.thumbHash == nil || one.thumbHash == all.thumbHash)
      #expect(one.tiny == nil || one.tiny == all.tiny)
      #expect(one.preview == nil || one.preview == all.preview)
      #expect(one.css == nil || one.css == all.css)
      #expect(one.palette == nil || one.palette == all.palette)
    }
    #expect(all.isOpaque == false && all.thumbHash?.hasAlpha == true)
  }

  @Test func `the default kinds are BlurHash and LQIP`() throws {
    let image = try PlaceholderEncoder().encode(fixture: "size-300x200.png")
    #expect(kinds(of: image) == [.blurHash, .lqip])
    #expect(image.isOpaque)
  }
}

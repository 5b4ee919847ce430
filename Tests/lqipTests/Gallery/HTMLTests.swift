import PlaceholdersTestSupport
import Testing

@testable import lqip

@Suite struct HTMLTests {
  @Test func `interpolated text is escaped, but literals are not`() {
    let text = "<a b='c' d=\"e\">&amp;"
    let inner: HTML = "<b>\(text)</b>"
    let html: HTML = "<p>\(inner)\(7)\(raw: "<")</p>"
    #expect(
      html.markup == "<p><b>&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;amp;</b>7<</p>")
  }

  @Test func `HTML pieces are joined without a separator`() {
    #expect(HTML(["<i>", "\("&")"]).markup == "<i>&amp;")
  }
}

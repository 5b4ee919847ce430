import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct PlaceholderKindRecordsTests {
  private func text(_ layout: RecordLayout, _ kinds: Set<PlaceholderKind>) -> String {
    String(
      decoding: layout.entry(for: Samples.image(Array("site/img/a b.png".utf8), kinds: kinds)),
      as: UTF8.self)
  }

  @Test func `every kind has its member, in the documented order`() {
    let kinds = Set(PlaceholderKind.allCases)
    let fields = RecordProfile.plain.fields(of: kinds).filter {
      PlaceholderKind(memberName: $0) != nil
    }
    #expect(
      fields == [
        "blurhash", "components", "lqip", "lqip2", "thumbhash", "preview", "svg", "css", "palette",
      ])
    let record = text(RecordLayout(.ndjson, fields: fields, kinds: kinds), kinds)
    #expect(record.hasPrefix(#"{"blurhash":"Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ","components":[4,3],"#))
    #expect(record.contains(##","palette":[{"color":"#336699","share":1.0}]"##))
    #expect(record.contains(#","preview":"data:image/png;base64,"#))
    #expect(record.contains(#","svg":"data:image/svg+xml,%3Csvg"#))
    #expect(record.contains(/,"css":-?[0-9]+,/))
  }

  @Test func `a kind for which a profile has no name comes last`() {
    let kinds: Set<PlaceholderKind> = [.blurHash, .thumbHash]
    let record = text(RecordLayout(.ndjson, profile: .matrix, kinds: kinds), kinds)
    #expect(record.contains(/"size":73,"xyz.amorgan.blurhash":"[^"]+","thumbhash":"[^"]+"}/))
  }

  @Test func `a kind that was not asked for is no column of a table`() {
    #expect(!RecordLayout(.csv).form.columns.contains("thumbhash"))
    let columns = RecordLayout(.csv, kinds: [.thumbHash]).form.columns
    #expect(columns.contains("thumbhash") && !columns.contains("blurhash"))
    #expect(columns.contains("average_color"))
  }

  @Test(arguments: [
    (RecordProfile.next, "src,width,height,blurDataURL"),
    (.hugo, "src,width,height,opaque,blurhash,lqip,preview,average_color"),
    (.eleventy, "src,width,height,opaque,blurhash,lqip,preview,average_color"),
  ])
  func `a site's profile is an object that is keyed by path from the base on`(
    profile: RecordProfile, names: String
  ) throws {
    let options = RecordOptions(profile: profile)
    #expect(options.chosenFormat == .json)
    let layout = RecordLayout(.json, profile: profile, base: FilePath("./site/"))
    let record = text(layout, profile.kinds)
    #expect(record.hasPrefix(#""img/a b.png":{"src":"/img/a%20b.png","width":3,"height":2,"#))
    #expect(
      record.matches(of: /"([A-Za-z_]+)":/).map { String($0.1) }.joined(separator: ",") == names)
  }

  @Test(arguments: [
    ("a/b/c.png", "a", "b/c.png"), ("a/b/c.png", "a/b/", "c.png"), ("./a/b", "a", "b"),
    ("a/b", "./a", "b"), ("/a/b", "/a", "b"), ("a/b", ".", "a/b"), ("../a/b", "../a", "b"),
    ("c/../a/./b", "a", "b"), ("a//b", "c/../a", "b"), ("/../a/b", "/a", "b"), ("../b", "..", "b"),
  ])
  func `a path is told from its base on if it lies there`(path: String, base: String, told: String)
  {
    #expect(FilePath(path).lies(below: FilePath(base)))
    #expect(FilePath(path).relative(to: FilePath(base)) == FilePath(told))
  }

  @Test(arguments: [
    ("/a/b", "a", "/a/b"), ("ab/c", "a", "./ab/c"), ("a", "a", "./a"), ("./b//c", "a", "./b/c"),
    ("a/../b", "a", "./b"), ("a/../../b", "a", "../b"), ("../b", ".", "../b"), ("b", "..", "./b"),
    ("../../b", "..", "../../b"), ("/a/../b", "/a", "/b"), ("b", "/", "./b"),
  ])
  func `what does not lie in the base is told so that it cannot be taken for what does`(
    path: String, base: String, told: String
  ) {
    #expect(!FilePath(path).lies(below: FilePath(base)))
    #expect(FilePath(path).relative(to: FilePath(base)) == FilePath(told))
  }

  @Test(arguments: [
    ("a", "a/b", true), ("a/b", "a", true), ("./a/", "c/../a", true), (".", "a", true),
    (".", "..", false), ("..", ".", false), ("x", "..", false), ("a", "b", false),
    ("/a", "a", false),
    ("a/../b", "a", false), ("/", "/a", true),
  ])
  func `a directory may hold the base or lie in it`(path: String, base: String, isRelated: Bool) {
    #expect(FilePath(path).isRelated(to: FilePath(base)) == isRelated)
  }

  @Test(arguments: PlaceholderKind.allCases)
  func `as text there is a kind and nothing else`(kind: PlaceholderKind) {
    let layout = RecordLayout(.ndjson, kinds: [kind], text: kind)
    let line = text(layout, [kind])
    #expect(!line.isEmpty && !line.contains("{\""))
    let failure = layout.entry(for: Samples.failure(Array("a".utf8)))
    #expect(failure.isEmpty)
  }
}

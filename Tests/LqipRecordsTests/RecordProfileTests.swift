import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct RecordProfileTests {
  @Test(arguments: [
    (
      RecordProfile.mastodon,
      #"{"path":"a","blurhash":"Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ","meta":{"original":{"width":3,"height":2,"size":"3x2","aspect":1.5}}}"#
    ),
    (
      .matrix,
      #"{"path":"a","w":3,"h":2,"mimetype":"image/png","size":73,"xyz.amorgan.blurhash":"Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ"}"#
    ),
    (
      .activitypub,
      #"{"path":"a","mediaType":"image/png","width":3,"height":2,"blurhash":"Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ"}"#
    ),
    (
      .nostr,
      #"{"path":"a","m":"image/png","dim":"3x2","blurhash":"Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ","x":"85def5c1054e796f882ec352789388b9142a149287cf69838319e840921b3250"}"#
    ),
  ])
  func `a profile has the members that its consumers read`(profile: RecordProfile, expected: String)
  {
    let layout = RecordLayout(.ndjson, profile: profile)
    let record = Samples.image(Array("a".utf8), digest: layout.needsDigest)
    #expect(String(decoding: layout.entry(for: record), as: UTF8.self) == expected)
  }

  @Test(arguments: RecordProfile.allCases)
  func `the members are the documented fields in their order`(profile: RecordProfile) {
    let record = Samples.image([], digest: true, kinds: profile.kinds)
    let layout = RecordLayout(.ndjson, profile: profile, digests: true)
    guard case .object(let members) = layout.json(of: record) else {
      Issue.record("no object")
      return
    }
    let absent = ["lqip2", "components", "frame_count"]
    let fields = profile.fields(of: profile.kinds).filter { !absent.contains($0) }
    #expect(
      members.map(\.name).filter { $0 != "components" } == fields + ["sha256"])
  }

  @Test(arguments: RecordProfile.allCases)
  func `a failure is the same in every profile`(profile: RecordProfile) {
    let record = Samples.failure(Array("a".utf8))
    let text = String(
      decoding: RecordLayout(.ndjson, profile: profile).entry(for: record), as: UTF8.self)
    #expect(text == #"{"path":"a","error":{"code":"corrupt","message":"line 1,\n\"line 2\""}}"#)
  }
}

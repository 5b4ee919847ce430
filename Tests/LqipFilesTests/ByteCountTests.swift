import Testing

@testable import LqipFiles

@Suite struct ByteCountTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"),
    (1536, "1.5 KiB"),
    (20 << 20, "20 MiB"), (20_971_521, "20 MiB"), (5 << 29, "2.5 GiB"), (3 << 40, "3 TiB"),
  ])
  func `a count has the largest unit of which there is one`(count: Int, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test func `what is just above a limit is told to the byte`() {
    #expect(ByteCount.text(21 << 20, above: 20 << 20) == "21 MiB, above the limit of 20 MiB")
    #expect(ByteCount.text(73, above: 1) == "73 bytes, above the limit of 1 byte")
    let most = 20 << 20
    #expect(
      ByteCount.text(most + 1, above: most) == "20971521 bytes, above the limit of 20 MiB")
  }
}

#if os(Linux)
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Codec libraries that are loaded on first use and temporarily fail to load.
@Suite struct EncodeLibraryTests {
  private static let libraries = [
    ("libwebp.so.7", "libwebp", "webp-alpha-540x530.webp"),
    ("libgif.so.7", "giflib", "gif-640x480.gif"),
  ]

  @Test(arguments: libraries)
  func `an update keeps records without errors while a codec library cannot be loaded`(
    file: String, name: String, image: String
  ) throws {
    let directory = try TemporaryDirectory()
    let bytes = try Fixtures.bytes(image)
    let faults = try FaultyFiles()
    let arguments = [
      "encode", "--sandbox=off", "--update", "-o", directory.file("out"), directory.file("images"),
    ]
    try directory.write("images/a", bytes)
    try directory.settle()
    #expect(try Program(arguments).status == 0)
    let good = try directory.text(of: "out")

    try directory.setModified("images/a", 1_000_000_000)
    try directory.write("images/b.webp", bytes)
    try directory.settle()
    let failing = try Program(arguments, environment: faults.failing("load", of: file))
    #expect(failing.counts == "0 encoded, 2 failed (2 internal)")
    let lines = try directory.text(of: "out").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first.map { "\($0)\n" } == good)
    #expect(lines.last?.contains("\(name) could not be loaded") == true)

    #expect(try Program(arguments).status == 0)
    #expect(try directory.text(of: "out").split(separator: "\n").count == 2)
    #expect(try !directory.text(of: "out").contains("error"))
  }
}
#endif

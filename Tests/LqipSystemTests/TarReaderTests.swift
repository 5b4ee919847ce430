import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

@Suite struct TarReaderTests {
  private let directory = TemporaryDirectory()
  private var archive = TarArchive()

  /// Reads all entries of the archive under construction, or of the given bytes.
  private func entries(
    in bytes: [UInt8]? = nil
  ) throws -> [(entry: TarReader.Entry, content: [UInt8])] {
    let path = try directory.write("a.tar", bytes ?? archive.closed)
    var reader = try TarReader(FilePath(path))
    var entries: [(entry: TarReader.Entry, content: [UInt8])] = []
    while let entry = try reader.next() { entries.append((entry, try reader.content(of: entry))) }
    #expect(try reader.next() == nil)
    return entries
  }

  /// The beginning of every error message about the archive.
  private var messagePrefix: String {
    "\(directory.file("a.tar")): cannot read archive: "
  }

  private func failure(of bytes: [UInt8]) -> String? {
    do {
      _ = try entries(in: bytes)
      return nil
    } catch CommandError.input(let message) {
      return message
    } catch {
      return "\(error)"
    }
  }

  @Test mutating func `entries are read in order with their content`() throws {
    archive.add("b/2.png", [1, 2, 3])
    archive.add("empty", [])
    archive.add("a", [UInt8](repeating: 7, count: 200_000))
    // Concatenated archives are read as one.
    #expect(try entries(in: archive.closed + archive.closed).count == 6)
    let entries = try entries()
    #expect(entries.map(\.entry.path) == ["b/2.png", "empty", "a"].map { FilePath($0) })
    #expect(entries.map(\.entry.status.byteCount) == [3, 0, 200_000])
    #expect(entries[0].content == [1, 2, 3])
    #expect(entries[1].content == [])
    #expect(entries[2].content == [UInt8](repeating: 7, count: 200_000))
  }

  @Test(arguments: [
    ("0" as Character, FileStatus.Kind.regular), ("\u{0}", .regular), ("7", .regular),
    ("5", .directory),
    ("2", .symbolicLink), ("1", .other), ("3", .other), ("4", .other), ("6", .other),
  ])
  mutating func `an entry's type flag determines its kind`(type: Character, kind: FileStatus.Kind)
    throws
  {
    archive.add("a".utf8, [], type: type)
    #expect(try entries().map(\.entry.status.kind) == [kind])
  }

  @Test mutating func `old headers, nanoseconds and hard link targets are read`() throws {
    archive.add("old".utf8, [1], magic: "")
    archive.addExtension(("mtime", Array("1700000001.123456789".utf8)))
    archive.add("b")
    archive.add("c.png".utf8, [], type: "1", target: "b")
    let entries = try entries().map(\.entry)
    #expect(entries.map(\.path) == ["old", "b", "c.png"].map { FilePath($0) })
    #expect(
      entries.map(\.status.modified.text).prefix(2)
        == ["2023-11-14T22:13:20.000000000Z", "2023-11-14T22:13:21.123456789Z"])
    #expect(entries.map(\.hardLinkTarget) == [nil, nil, FilePath("b")])
  }

  /// Names that Unicode normalization would change, and names that are not UTF-8.
  static let names: [[UInt8]] = [
    Array("../../etc/passwd".utf8), Array("e\u{301}\u{212B}\n.png".utf8),
    [0xFF, 0xFE, 0x80] + ".png".utf8, Array(repeating: 0xE9, count: 100),
  ]

  @Test(arguments: names) mutating func `entry names are read byte for byte`(name: [UInt8]) throws {
    let long = name + "/".utf8 + [UInt8](repeating: UInt8(ascii: "n"), count: 300)
    archive.add(name)
    archive.addExtension(("path", long))
    archive.add("short")
    archive.add("././@LongLink".utf8, long + [0], type: "L", magic: "ustar  \u{0}")
    archive.add("short".utf8, magic: "ustar  \u{0}")
    let entries = try entries()
    #expect(entries.map(\.entry.path.bytes) == [name, long, long])
    #expect(entries.map(\.entry.defect) == [nil, nil, nil])
  }

  @Test
  mutating func `a sparse file is expanded, and one larger than its declared size is an error`()
    throws
  {
    let size = ("GNU.sparse.size", Array("8".utf8))
    archive.addExtension(size, ("GNU.sparse.map", Array("2,1,6,2".utf8)))
    archive.add("a", [1, 2, 3])
    #expect(try entries().map(\.content) == [[0, 0, 1, 0, 0, 0, 2, 3]])
    archive.addExtension(size, ("GNU.sparse.map", Array("2,1,1099511627776,2".utf8)))
    archive.add("b", [1, 2, 3])
    #expect(
      failure(of: archive.closed)
        == "\(messagePrefix)damaged: the content of b exceeds its declared size")
  }

  /// Compression programs, with their file extensions and the error messages for truncated input.
  private static let compressors = [
    ("gzip", "gz", "truncated gzip input"), ("bzip2", "bz2", "truncated bzip2 input"),
    ("xz", "xz", "Lzma library error"),
    ("zstd", "zst", "Truncated zstd input"),
  ].filter { FileManager.default.fileExists(atPath: "/usr/bin/\($0.0)") }

  @Test(arguments: compressors)
  mutating func `a compressed archive has the same entries as the uncompressed one`(
    program: String, suffix: String, defect: String
  ) throws {
    archive.add("a", [UInt8](repeating: 7, count: 200_000))
    let path = try directory.write("b.tar", archive.closed)
    let run = try Process.run(URL(fileURLWithPath: "/usr/bin/\(program)"), arguments: [path])
    run.waitUntilExit()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path).\(suffix)")))
    #expect(bytes.count < 10_000)
    #expect(try entries(in: bytes).map(\.content) == entries().map(\.content))
    let message = failure(of: Array(bytes.prefix(bytes.count / 2)))
    #expect(message?.hasPrefix("\(messagePrefix)\(defect)") ?? false, "\(message ?? "")")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/tar")))
  func `an archive from the system's tar is read`() throws {
    let name = String(repeating: "n", count: 120) + "/" + String(repeating: "é", count: 100)
    try directory.write("d/\(name)")
    let path = directory.file("system.tar")
    let tar = try Process.run(
      URL(fileURLWithPath: "/usr/bin/tar"),
      arguments: ["-c", "--format=pax", "-f", path, "-C", directory.file("d"), name])
    tar.waitUntilExit()
    let entries = try entries(in: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    let status = try FileStatus(of: FilePath(directory.file("d/\(name)")), followsLinks: false)
    #expect(entries.map(\.entry.path) == [FilePath(name)])
    #expect(entries.map(\.entry.status.modified) == [status.modified])
    #expect(entries.map(\.content) == [TemporaryDirectory.png])
  }

  @Test mutating func `a truncated archive is an error`() throws {
    archive.add("a", [UInt8](repeating: 7, count: 700))
    for count in 0..<archive.bytes.count + 512 where count != archive.bytes.count {
      #expect(failure(of: Array(archive.closed.prefix(count))) != nil, "truncated at \(count)")
    }
    #expect(failure(of: archive.bytes) == "\(messagePrefix)truncated: no end-of-archive marker")
  }

  @Test(arguments: [600, 0o7777777, 0o77777777777])
  mutating func `a wrong size or a corrupt header is an error`(size: Int) {
    archive.add("b")
    #expect(failure(of: archive.closed) == nil)
    var bytes = archive.closed
    bytes[0] ^= 1
    #expect(failure(of: bytes)?.hasPrefix(messagePrefix) == true)
    archive.add("a".utf8, [1, 2, 3], size: size)
    archive.add("b")
    #expect(failure(of: archive.closed) != nil)
  }

  @Test(arguments: [[], Array("This is no archive.".utf8), TemporaryDirectory.png])
  func `a file that is not an archive is an error`(bytes: [UInt8]) {
    #expect(
      failure(of: bytes)
        == "\(messagePrefix)Unrecognized archive format; expected a tar archive, uncompressed or "
        + "compressed with: gzip, bzip2, xz, zstd")
  }

  @Test func `opening a missing archive or a directory fails`() {
    for (path, reason) in [
      (directory.file("none.tar"), "No such file or directory"), (directory.path, "Is a directory"),
    ] {
      #expect(throws: CommandError.input("\(path): cannot read archive: \(reason)")) {
        _ = try TarReader(FilePath(path))
      }
    }
  }
}

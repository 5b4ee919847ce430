import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

@Suite struct FilePathTests {
  @Test(arguments: [
    ("a/b/c.png", "a/b/", "c.png"), ("c.png", "", "c.png"), ("/c", "/", "c"), ("a/", "a/", ""),
  ])
  func `a path is split after its last slash`(path: String, directory: String, name: String) {
    #expect(FilePath(path).directory == FilePath(directory))
    #expect(Array(FilePath(path).name) == Array(name.utf8))
  }

  @Test func `a path's description replaces control characters`() {
    #expect(FilePath("a\u{1B}[2J\n\u{9B}b").description == "a?[2J??b")
  }

  @Test func `a path with a NUL byte is rejected`() {
    #expect(throws: SystemError.invalidArgument) {
      try FileStatus(of: FilePath("/\0/etc"), followsLinks: true)
    }
  }

  @Test(arguments: [1, 66, 67, 68, 120])
  func `a path longer than PATH_MAX can be opened`(depth: Int) throws {
    let directory = TemporaryDirectory()
    let image = try directory.makeDeepImage(depth: depth)
    for start in ["\(directory.path)/", "\(directory.path)//"] {
      let path = FilePath(start + image)
      let status = try FileStatus(of: path, followsLinks: false)
      #expect(status.byteCount == TemporaryDirectory.png.count)
      let file = try FileDescriptor(opening: path, O_RDONLY)
      #expect(try FileDescriptor.read(file.number, at: 0, upTo: 1000) == TemporaryDirectory.png)
    }
    #expect(throws: SystemError.notFound) {
      try FileStatus(of: FilePath("\(directory.path)/\(image)x"), followsLinks: false)
    }
  }

  @Test func `a name longer than NAME_MAX is an error`() {
    let name = String(repeating: "x", count: 5000)
    for path in [name, "/\(name)", "/tmp/\(name)", "/\(name)/x"] {
      #expect(throws: SystemError.nameTooLong) {
        try FileStatus(of: FilePath(path), followsLinks: true)
      }
    }
  }
}

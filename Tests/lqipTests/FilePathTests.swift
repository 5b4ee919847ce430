import Testing

@testable import lqip

@Suite struct FilePathTests {
  @Test(arguments: [
    ("a/b/c.png", "a/b/", "c.png"), ("c.png", "", "c.png"), ("/c", "/", "c"), ("a/", "a/", ""),
  ])
  func `a path splits after its last slash`(path: String, directory: String, name: String) {
    #expect(FilePath(path).directory == FilePath(directory))
    #expect(Array(FilePath(path).name) == Array(name.utf8))
  }

  @Test func `a path shows people no control characters`() {
    #expect(FilePath("a\u{1B}[2J\n\u{9B}b").description == "a?[2J??b")
  }

  @Test func `a path with a zero byte never reaches the system`() {
    #expect(throws: SystemError.invalidArgument) {
      try FileStatus(of: FilePath("/\0/etc"), followsLinks: true)
    }
  }
}

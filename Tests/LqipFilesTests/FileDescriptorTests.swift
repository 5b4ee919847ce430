import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct FileDescriptorTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `what has just been written is cached as far as its first byte is`() throws {
    let path = try directory.write("a", Array(repeating: 1, count: 300_000))
    let file = try FileDescriptor(opening: FilePath(path), O_RDONLY)
    // Not every file system tells.
    let (isCached, isTold) = (file.isCached(byteCount: 300_000), file.isCached(byteCount: 1))
    #expect(isCached == isTold)
  }

  @Test func `what lies beyond the end of a file is not cached`() throws {
    let path = try directory.write("a", Array(repeating: 1, count: 300_000))
    let file = try FileDescriptor(opening: FilePath(path), O_RDONLY)
    let isCached = file.isCached(byteCount: 400_000)
    #expect(!isCached)
  }

  @Test func `a directory is not cached`() throws {
    let file = try FileDescriptor(opening: FilePath(directory.file(".")), O_RDONLY)
    let isCached = file.isCached(byteCount: 1)
    #expect(!isCached)
  }
}

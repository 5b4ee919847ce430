import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct FileWindowTests {
  private let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }

  @Test func `parts in any order are those of the file`() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor(
      opening: FilePath(try directory.write("file", content)), O_RDONLY)
    let window = FileWindow(file.number)
    let inOrder = (0..<600).map { ($0 * 331, 330) }
    for (offset, count) in inOrder + inOrder.reversed() + [(5, 100_000), (100_006, 90_000), (0, 0)]
    {
      #expect(try window.read(at: offset, count: count) == Array(content[offset..<offset + count]))
    }
  }

  @Test func `what goes beyond the end is not there`() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor(
      opening: FilePath(try directory.write("file", content)), O_RDONLY)
    let window = FileWindow(file.number)
    #expect(try window.read(at: 0, count: 10)?.count == 10)
    #expect(try window.read(at: 199_999, count: 2) == nil)
    #expect(try window.read(at: 300_000, count: 1) == nil)
    #expect(try window.read(at: 199_999, count: 1) == content.suffix(1))
  }

  @Test func `what cannot be read is an error`() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor(opening: FilePath(directory.file("file")), O_WRONLY | O_CREAT)
    #expect(throws: SystemError(number: EBADF)) {
      try FileWindow(file.number).read(at: 0, count: 1)
    }
  }
}

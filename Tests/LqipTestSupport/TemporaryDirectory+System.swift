import Foundation
import PlaceholdersTestSupport

import LqipSystem

extension TemporaryDirectory {
  /// Sets the modification time of a file.
  package func setModified(_ name: String, _ seconds: Int, nanoseconds: Int = 0) throws {
    let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: nanoseconds), count: 2)
    _ = try SystemError.check { unsafe utimensat(AT_FDCWD, file(name), times, 0) }
  }

  /// Waits until the records of all existing files can be reused.
  ///
  /// A record is not reused if its file changed within 20 ms of being read.
  package func settle() throws {
    // `chmod` sets the change time of the directory, which is now the latest of all files.
    _ = try SystemError.check { unsafe chmod(path, 0o700) }
    let changed = try FileStatus(of: FilePath(path), followsLinks: true).changed
    func age(at now: Timestamp) -> Int {
      (now.seconds - changed.seconds) * 1_000_000_000 + now.nanoseconds - changed.nanoseconds
    }
    while age(at: .now) <= 20_000_000 { usleep(1000) }
  }

  /// Writes an image under a name of arbitrary bytes.
  package func write(bytes name: [UInt8], _ content: [UInt8] = png) throws {
    let file = try FileDescriptor(
      opening: FilePath(Array("\(path)/".utf8) + name), O_WRONLY | O_CREAT | O_TRUNC)
    try FileDescriptor.writeAll(content, to: file.number)
  }

  /// Creates nested directories with names of 60 letters, and an image in the innermost one.
  ///
  /// - Parameter depth: The number of directories; with 120, the path exceeds `PATH_MAX`.
  /// - Returns: The relative path of the image.
  /// - Throws: A system error.
  package func makeDeepImage(depth: Int = 120) throws -> String {
    let name = String(repeating: "d", count: 60)
    var directory = try FileDescriptor(opening: FilePath(path), O_RDONLY | O_DIRECTORY)
    for _ in 0..<depth {
      _ = try SystemError.check { unsafe mkdirat(directory.number, name, 0o700) }
      directory = try FileDescriptor(
        opening: FilePath(name), O_RDONLY | O_DIRECTORY, from: directory.number)
    }
    let file = try FileDescriptor(
      opening: FilePath("a.png"), O_WRONLY | O_CREAT, from: directory.number)
    try FileDescriptor.writeAll(Self.png, to: file.number)
    return String(repeating: "\(name)/", count: depth) + "a.png"
  }
}

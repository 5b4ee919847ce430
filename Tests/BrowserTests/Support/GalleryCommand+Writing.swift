import PlaceholderEncoding

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

extension GalleryCommand {
  /// Writes a gallery of images into a file.
  static func write(_ file: String, of paths: [String], kinds: [PlaceholderKind]? = nil) throws {
    var command = GalleryCommand()
    command.encoding.paths = paths.map { FilePath($0) }
    // The `corners` method is fast even without optimization.
    command.encoding.placeholders.lqip.method = .corners
    command.encoding.limits.timeout = .seconds(600)
    // A worker forked from a thread may grow that thread's malloc arena with mprotect, which the sandbox forbids.
    command.encoding.sandbox = .off
    if let kinds { command.encoding.records.kinds = kinds }
    command.encoding.records.output.path = FilePath(file)
    _ = try command.run()
  }
}

import Foundation

/// The committed images.
enum TestImages {
  private static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Images")

  /// The full name of a file.
  static func path(_ name: String) -> String {
    directory.appendingPathComponent(name).path
  }

  /// The bytes of a file.
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appendingPathComponent(name)))
  }
}

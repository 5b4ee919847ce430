import Foundation
import LqipTestSupport
import Testing

@testable import lqip

@Suite struct VersionTextTests {
  private static let modules = [
    ("libjpeg-turbo", "libjpeg"), ("libpng", "libpng"), ("ISA-L", "libisal"), ("lcms2", "lcms2"),
    ("libwebp", "libwebp"), ("giflib", "libgif"),
  ]

  @Test(arguments: modules)
  func `the reported library versions match pkg-config`(
    library: String, module: String
  ) throws {
    let version = try Shell.bash.run(arguments: ["-c", "pkg-config --modversion \(module)"]).lines
    let line = try #require(
      Program("--version").lines.first { $0.hasPrefix("  \(library) ") })
    #expect(line.dropFirst("  \(library) ".count).prefix { $0 != " " } == version.joined())
  }

  @Test(arguments: [
    ("1.2.4", true), ("1.3.1", true), ("1.3.2", false), ("1.3.10", false), ("1.4.0", false),
    ("1.10.0", false), ("2.0.0", false), ("missing", false),
  ])
  func `only a libwebp version before 1.3.2 gets a security remark`(version: String, isOld: Bool) {
    #expect(
      VersionText.remark(onWebP: version)
        == (isOld ? " (older than 1.3.2: vulnerable to CVE-2023-4863 unless patched)" : ""))
  }
}

import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@Suite struct InstallTests {
  private static let prefix = "/opt/placeholders"

  private let scratch = TemporaryDirectory()
  private let tools: String

  init() throws {
    tools = scratch.file("tools")
    // `make install` must not call any of these programs.
    for name in ["swift", "apt-get", "brew", "sudo"] {
      let file = try scratch.write("tools/\(name)", Array("#!/bin/sh\nexit 1\n".utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
  }

  private func make(_ target: String) throws {
    _ = try Repository.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "make", "--silent", target, "lqip=\(Program.executable.path)",
        "staged=\(scratch.file("staged"))", "DESTDIR=\(scratch.file("root"))",
        "PREFIX=\(Self.prefix)",
      ], path: tools)
  }

  /// The sorted paths of the files in DESTDIR.
  private func files() throws -> [String] {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: scratch.file("root")).filter { path in
      let attributes = try files.attributesOfItem(atPath: scratch.file("root/\(path)"))
      return attributes[.type] as? FileAttributeType == .typeRegular
    }.sorted()
  }

  @Test func `make install copies the built files, and make uninstall removes them`() throws {
    try make("staged")
    try make("install")
    var expected = [
      "bin/lqip", "share/bash-completion/completions/lqip", "share/doc/lqip/LICENSE",
      "share/doc/lqip/THIRD-PARTY.md", "share/fish/vendor_completions.d/lqip.fish",
      "share/man/man1/lqip.1", "share/zsh/site-functions/_lqip",
    ]
    #if os(Linux)
    expected += ["lib/systemd/system/lqip.service", "lib/systemd/system/lqip.socket"]
    #endif
    #expect(try files() == expected.map { "opt/placeholders/\($0)" }.sorted())

    let installed = URL(fileURLWithPath: scratch.file("root\(Self.prefix)/bin/lqip"))
    let version = try Repository.run(installed, ["--version"])
    #expect(version == (try Repository.run(Program.executable, ["--version"])))
    let size = try installed.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let built = try Program.executable.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    #expect(size < built, "the installed program is not stripped")

    #if os(Linux)
    let unit = try scratch.text(of: "root\(Self.prefix)/lib/systemd/system/lqip.service")
    #expect(unit.contains("\nExecStart=\(Self.prefix)/bin/lqip serve "))
    #expect(!unit.contains("/usr/local"))
    #endif

    try make("uninstall")
    #expect(try files().isEmpty)
  }
}

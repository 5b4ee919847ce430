import Foundation
import LqipTestSupport
import Testing

/// The scripts in `Tests/Scripts`, which run with the built program on `PATH`.
@Suite struct PackageTests {
  /// The tools that `scripts/test-tools` extracts.
  private static let tools = Repository.root.appendingPathComponent(".build/packaging").path

  private func run(_ words: String...) throws {
    let tools = Self.tools
    var environment = [
      "PYTHONPATH=\(tools)/python", "LD_LIBRARY_PATH=\(tools)/usr/lib/x86_64-linux-gnu",
    ]
    let compiler = "\(tools)/usr/share/nodejs/typescript/lib/tsc.js"
    if exists(compiler) { environment.append("TSC=\(compiler)") }
    _ = try Repository.run(
      URL(fileURLWithPath: "/usr/bin/env"), environment + words,
      path: Program.executable.deletingLastPathComponent().path)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  @Test func `the Python package encodes and renders images, and its types match the program`()
    throws
  {
    try run("python3", "Tests/Scripts/python.py")
  }

  @Test func `the Node.js package encodes and renders images, and its types match the program`()
    throws
  {
    guard DocumentationSandbox.hasTool("node") else { return print("skipped: missing node") }
    try run("node", "--test", "Tests/Scripts/node.mjs")
  }

  @Test func `common mistakes are each answered with what to type instead`() throws {
    try run("python3", "Tests/Scripts/mistakes.py")
  }

  @Test(arguments: ["nginx", "haproxy"])
  func `a proxy caches previews, and limits uploads but not the previews of a page`(proxy: String)
    throws
  {
    let program = "\(Self.tools)/usr/sbin/\(proxy)"
    guard exists(program) else { return print("skipped: missing \(proxy)") }
    try run("python3", "Tests/Scripts/proxies.py", proxy, program)
  }
}

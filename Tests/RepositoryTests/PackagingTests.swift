import Foundation
import LqipTestSupport
import Testing

/// The files in `Packaging` that no test runs.
@Suite struct PackagingTests {
  private func text(of file: String) throws -> String {
    try Repository.lines(of: "Packaging/\(file)").joined(separator: "\n")
  }

  /// The options in the help of a command.
  private func options(of command: String) throws -> Set<String> {
    let help = try Repository.run(Program.executable, [command, "--help"])
    return Set(help.matches(of: /[ \n](--?[a-z][a-z-]*)/).map { String($0.1) })
  }

  @Test(arguments: ["action/action.yml", "homebrew/lqip.rb"])
  func `every option that a packaging file passes to lqip exists`(file: String) throws {
    let calls = try text(of: file).matches(of: /lqip"?,? "?(encode|decode)\b(.*)/)
    var count = 0
    for call in calls {
      let known = try options(of: String(call.1))
      let passed = call.2.matches(of: /[ "](--?[a-z][a-z-]*)/).map { String($0.1) }
      #expect(passed.filter { !known.contains($0) } == [])
      count += passed.count
    }
    #expect(count > 0)
  }

  @Test func `every LQIP_ variable in kubernetes.yaml corresponds to an option of lqip serve`()
    throws
  {
    let known = try options(of: "serve")
    let names = try text(of: "kubernetes.yaml").matches(of: /LQIP_([A-Z_]+)/).map { String($0.1) }
    #expect(!names.isEmpty)
    for name in names {
      let option = "--" + name.lowercased().replacingOccurrences(of: "_", with: "-")
      #expect(known.contains(option), "\(name)")
    }
  }
}

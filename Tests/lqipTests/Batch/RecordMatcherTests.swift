import Foundation
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct RecordMatcherTests {
  private let directory = TemporaryDirectory()
  /// File names, some with characters that sort before a slash and some after it.
  private static let names = ["a", "b!c", "b.d", "b/e", "b0", "c/a", "d", "é"]

  init() throws {
    for name in Self.names { try directory.write(name) }
  }

  private func path(_ name: String) -> FilePath {
    FilePath(directory.file(name))
  }

  /// Returns a current or outdated record of a file.
  private func line(_ name: String, isChanged: Bool = false, error: String = "") throws -> String {
    let end = try RecordStamp.lineEnd(
      of: FileStatus(of: path(name), followsLinks: false), settings: Array("1 x".utf8))
    let text = String(decoding: end, as: UTF8.self)
    return #"{"path":"\#(name)""# + error
      + (isChanged ? text.replacing("1 x", with: "racy 1 x") : text) + "\n"
  }

  /// Returns the merged items as text, with the error, if any, at the end.
  private func steps(
    _ findings: [Finding], updating lines: [String], prunes: Bool = false
  ) throws -> [String] {
    let text = Array(lines.joined().utf8)
    let file = try FileDescriptor(opening: FilePath(try directory.write(".out", text)), O_RDONLY)
    var options = UpdateOptions()
    options.prunes = prunes
    let previous = PreviousOutput(
      descriptor: file.number, name: "out", settings: Array("1 x".utf8), options: options,
      shard: nil)
    var steps: [String] = []
    func add(_ item: RecordMatcher.Item) {
      switch item.state {
      case .waiting(.skipped(let path, _)): steps.append("skipped \(path)")
      case .waiting:
        steps.append((item.earlier == nil ? "new " : "changed ") + item.name.description)
      case .done(nil): Issue.record("\(item)")
      case .done(let event?):
        if case .previous(let bounds) = event.output {
          let lines = String(decoding: text[bounds], as: UTF8.self).split(separator: "\n")
          #expect(lines.last?.hasPrefix(#"{"path":"\#(event.path)""#) ?? false)
        }
        switch event.outcome {
        case .reused(let count, let failures):
          steps.append(
            "\(count) reused to \(event.path)" + failures.map { ", \($0.code)" }.joined())
        case .unvisited(let count): steps.append("\(count) unvisited to \(event.path)")
        case .dropped(let count, _): steps.append("\(count) dropped to \(event.path)")
        default: Issue.record("\(event)")
        }
      }
    }
    do throws(CommandError) {
      var matcher = try RecordMatcher(previous, relativeTo: FilePath(directory.path))
      for finding in findings { try matcher.take(finding, add) }
      try matcher.finish(add)
    } catch {
      switch error {
      case .input(let text), .output(let text): steps.append(text)
      default: Issue.record("\(error)")
      }
    }
    return steps
  }

  private func image(_ name: String) -> Finding {
    .file(Finding.File(path: path(name), followsLinks: false, requiresSignature: false))
  }

  /// Returns the expected steps, computed with sets.
  private func expected(
    _ old: Set<String>, _ files: Set<String>, _ changed: Set<String>, unvisited: String
  ) -> [String] {
    var steps: [(kind: String, count: Int, last: String)] = []
    for name in old.union(files).sorted(by: { FilePath($0).precedes(FilePath($1)) }) {
      let isOld = old.contains(name)
      let kind =
        !files.contains(name)
        ? unvisited : isOld ? (changed.contains(name) ? "changed" : "reused") : "new"
      if let last = steps.last, last.kind == kind, kind == "reused" || kind == unvisited {
        steps[steps.count - 1] = (kind, last.count + 1, name)
      } else {
        steps.append((kind, 1, name))
      }
    }
    return steps.map {
      ["new", "changed"].contains($0.kind)
        ? "\($0.kind) \($0.last)" : "\($0.count) \($0.kind) to \($0.last)"
    }
  }

  @Test(arguments: [false, true])
  func `the merge returns every record and every file once, in byte order`(prunes: Bool) throws {
    var random = LCG(seed: 12)
    for _ in 0..<100 {
      let old = Self.names.filter { _ in Bool.random(using: &random) }
      let files = Self.names.filter { _ in Bool.random(using: &random) }
      let changed = Set(Self.names.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      let lines = try old.map { try line($0, isChanged: changed.contains($0)) }
      let steps = try steps(files.map(image), updating: lines, prunes: prunes)
      let unvisited = prunes ? "dropped" : "unvisited"
      #expect(steps == expected(Set(old), Set(files), changed, unvisited: unvisited))
    }
  }

  @Test func `a reused record is reported with its failure, and before any later finding`() throws {
    let error = #","error":{"code":"corrupt","message":"no"}"#
    let lines = [try line("a", error: error), try line("d")]
    // `c/../d` is another spelling of `d`.
    let findings = [image("a"), .skipped(FilePath("c"), .link), image("c/../d")]
    let steps = try steps(findings, updating: lines)
    #expect(steps == ["1 reused to a, corrupt", "skipped c", "1 reused to d"])
  }
}

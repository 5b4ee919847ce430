package import LqipFiles
package import LqipRecords

/// How often something happened, with the first files to which it did.
package struct Tally: Hashable, Sendable {
  private static let exampleCount = 3

  package private(set) var count = 0
  package private(set) var examples: [FilePath] = []

  package mutating func add(_ path: FilePath) {
    count += 1
    if examples.count < Self.exampleCount { examples.append(path) }
  }

  /// The examples for people, and how many there are besides.
  package var text: String {
    let rest = count > examples.count ? [" and \(count - examples.count) more"] : []
    return examples.map { "\($0)" }.joined(separator: ", ") + rest.joined()
  }

  /// The tally as a member of a summary.
  package var json: JSON {
    .object([
      ("count", .integer(count)),
      ("examples", .array(examples.map { .string(String(decoding: $0.bytes, as: UTF8.self)) })),
    ])
  }
}

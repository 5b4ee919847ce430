/// What a client is ready to take: the `Accept` field of RFC 9110, section 12.5.1.
struct AcceptedTypes: Sendable {
  private struct Range {
    let type: Substring
    let subtype: Substring
    let quality: Double

    static let anything = Range(type: "*", subtype: "*", quality: 1)

    /// How exactly the range names types.
    var precision: Int {
      (type == "*" ? 0 : 1) + (subtype == "*" ? 0 : 1)
    }

    func contains(_ name: [Substring]) -> Bool {
      (type == "*" || type == name[0]) && (subtype == "*" || subtype == name[1])
    }
  }

  private let ranges: [Range]

  /// Reads the field, without which everything is taken; a malformed element is passed over.
  init(of head: RequestHead) {
    let elements = head.list("accept")
    ranges = elements.isEmpty ? [.anything] : elements.compactMap(Self.range)
  }

  /// The type of those on offer that the client likes best, the first of equals; nil if none will do.
  func preferred(among types: [String]) -> String? {
    let rated = types.map { (type: $0, quality: quality(of: $0)) }
    let best = rated.map(\.quality).max() ?? 0
    return best > 0 ? rated.first { $0.quality == best }?.type : nil
  }

  /// The weight of the range that names the type most exactly.
  private func quality(of type: String) -> Double {
    let name = type.split(separator: "/")
    return ranges.filter { $0.contains(name) }
      .max { ($0.precision, $0.quality) < ($1.precision, $1.quality) }?.quality ?? 0
  }

  /// Reads a range with its weight; its other parameters tell no type of ours from another.
  private static func range(_ element: Substring) -> Range? {
    let parts = element.split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.trimmingBlanks.lowercased() }
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, !names.contains(""), names[0] != "*" || names[1] == "*" else {
      return nil
    }
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2) ?? "1"
    guard let quality = Double(weight), (0...1).contains(quality) else { return nil }
    return Range(type: names[0], subtype: names[1], quality: quality)
  }
}

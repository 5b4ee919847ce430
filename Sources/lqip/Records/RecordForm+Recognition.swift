internal import LqipFiles
internal import PlaceholderEncoding

extension RecordForm {
  /// Whether an open file has records of this program, by the first of them that can be read.
  ///
  /// Names such as `width` are anybody's. What tells a record of this program is a placeholder, the stamp
  /// or the reason for which there is no placeholder.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - fields: The members that were chosen for the records which replace it: those that have them
  ///     need no other mark.
  /// - Returns: Whether it has.
  package static func isOutput(_ descriptor: Int32, like fields: [String]? = nil) -> Bool {
    guard var reader = try? RecordReader(descriptor), let form = reader.form else { return false }
    guard form.format != .csv else { return form.columns.contains("error.code") }
    var isEmpty = true
    for _ in 0..<100 {
      guard let piece = try? reader.next() else { return isEmpty && form.format == .json }
      isEmpty = false
      let bounds =
        switch piece {
        case .entry(let entry): entry.offset..<(entry.offset + entry.byteCount)
        // Those without a path are no use to a later run, but records all the same.
        case .rejected(_, let bounds): bounds
        }
      let text = try? FileDescriptor.read(descriptor, at: bounds.lowerBound, upTo: bounds.count)
      guard let text, let members = try? form.members(of: text, text.indices) else { continue }
      let names = members.map(\.name)
      guard names.allSatisfy(RecordLayout.memberNames.contains) else { return false }
      // Another program's value under the name of a placeholder tells against the record.
      guard members.allSatisfy({ isMark($0) || PlaceholderKind(memberName: $0.name) == nil }) else {
        continue
      }
      if members.contains(where: isMark) || fields.map({ has(names, $0) }) ?? false { return true }
    }
    return false
  }

  /// Whether a member is one that other programs hardly write, by its name and its value.
  private static func isMark(_ member: JSON.Member) -> Bool {
    switch (member.name, member.value) {
    case ("encoder", .string(let text)): Int(text.prefix { $0 != " " }) != nil
    case ("average_color", .string(let text)): text.utf8.count == 7 && text.hasPrefix("#")
    case ("error", .object(let parts)):
      if case ("code", .string(let code))? = parts.first {
        RecordFailure.Code(rawValue: code) != nil
      } else {
        false
      }
    case ("blurhash", .string(let text)), ("xyz.amorgan.blurhash", .string(let text)):
      (try? BlurHash(text)) != nil
    case ("components", .array(let counts)): counts.count == 2 && counts.allSatisfy(isCount)
    case ("lqip", .string(let text)), ("lqip2", .string(let text)): (try? PackedLQIP(text)) != nil
    case ("thumbhash", .string(let text)): (try? ThumbHash(text)) != nil
    case ("preview", .string(let text)), ("blurDataURL", .string(let text)),
      ("svg", .string(let text)):
      text.hasPrefix("data:image/")
    case ("css", .integer(let value)): IntegerLQIP(value) != nil
    case ("palette", .array(let swatches)): swatches.allSatisfy(isSwatch)
    default: false
    }
  }

  /// Whether a value is a number of columns or rows of a BlurHash.
  private static func isCount(_ value: JSON) -> Bool {
    if case .integer(1...9) = value { true } else { false }
  }

  private static func isSwatch(_ value: JSON) -> Bool {
    if case .object(let parts) = value { parts.first?.name == "color" } else { false }
  }

  /// Whether a record has the chosen members, apart from those that not every image has, and no other.
  private static func has(_ names: [String], _ fields: [String]) -> Bool {
    let rare = RecordProfile.rareFields.union(["path", "path_base64", "error"])
    return fields.allSatisfy { names.contains($0) || rare.contains($0) }
      && names.allSatisfy { fields.contains($0) || rare.contains($0) }
  }
}

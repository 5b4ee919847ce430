import LqipRecords
import PlaceholderEncoding

/// Suggestions for unknown options.
enum OptionAdvice {
  /// The options of other programs, without dashes, and the corresponding options of lqip.
  private static let synonyms = [
    "O": "--output", "out-dir": "--output", "dest": "--output", "to": "--output",
    "threads": "--jobs", "parallel": "--jobs", "workers": "--jobs", "concurrency": "--jobs",
    "overwrite": "--force", "f": "--force", "y": "--force", "silent": "--quiet", "s": "--quiet",
    "V": "--version", "json": "--output FILE.json", "csv": "--output FILE.csv",
    "ndjson": "--output FILE.ndjson", "jsonl": "--output FILE.ndjson", "incremental": "--update",
    "u": "--update", "ignore": "--exclude",
    "match": "--include", "base": "--relative-to", "delete": "--prune",
    "max-size": "--max-bytes",
    "dry-run": "--output /dev/null", "n": "--output /dev/null",
    "bind": "--listen", "address": "--listen", "token": "--token-file FILE",
    "api-key": "--token-file FILE", "auth": "--token-file FILE", "cors": "--cors-origin",
    "size": "--width", "w": "--width",
    "type": "--kind",
  ]

  /// The options of other programs, without dashes, that lqip does not need, and the reasons.
  private static let defaults = [
    "r": "directories are searched recursively by default",
    "R": "directories are searched recursively by default",
    "recursive": "directories are searched recursively by default",
    "null": "NUL-terminated paths are detected automatically",
    "0": "NUL-terminated paths are detected automatically",
    "format": "the extension of the output file determines its format",
    "progress": "progress is shown by default; --quiet turns it off",
  ]

  /// Returns a suggestion for an unknown option.
  ///
  /// - Parameters:
  ///   - name: The option with its dashes.
  ///   - value: The value or the next argument, if any.
  ///   - table: The options of the command.
  /// - Returns: The suggestion, if any.
  static func advice<Settings>(
    on name: String, value: String?, in table: [CommandOption<Settings>]
  ) -> Advice? {
    let word = String(name.drop { $0 == "-" })
    func has(_ line: String) -> Bool {
      table.contains { $0.name == line.prefix { $0 != " " } }
    }
    if let kind = kindAdvice(on: word, in: table) { return kind }
    if has("--listen"), let address = address(for: word, value) {
      return .use("--listen \(address)")
    }
    if let synonym = synonyms[word] ?? synonyms[word.lowercased()], has(synonym) {
      return .use(synonym)
    }
    if has("--listen"), ["tls-cert", "tls-key", "cert", "key"].contains(word) {
      return .note("TLS is not supported; use a reverse proxy")
    }
    if has("--include"), let sentence = defaults[word] { return .note(sentence) }
    guard name.hasPrefix("--") else { return nil }
    return Suggestion.nearest(to: name, among: table.map(\.name)).map { .word($0) }
  }

  /// Returns a suggestion for a missing or invalid value of an option named after a kind, such as `--lqip`.
  static func advice<Settings>(
    onValueOf name: String, in table: [CommandOption<Settings>]
  ) -> Advice? {
    let word = String(name.drop { $0 == "-" })
    guard PlaceholderKind(rawValue: word) != nil, table.contains(where: { $0.name == "--kinds" })
    else { return nil }
    return .note("to select the placeholder, use: --kinds \(word)")
  }

  /// Returns a suggestion to use `--kinds` for an unknown option that names a kind, such as `--thumbhash`.
  private static func kindAdvice<Settings>(
    on word: String, in table: [CommandOption<Settings>]
  ) -> Advice? {
    var name = word.lowercased()
    for affix in ["-only", "-hash"] where name.hasSuffix(affix) {
      name.removeLast(affix.count)
      if affix == "-hash" { name += "hash" }
    }
    for affix in ["no-", "with-", "only-"] where name.hasPrefix(affix) {
      name.removeFirst(affix.count)
    }
    let option = table.first { option in
      guard ["--kinds", "--kind"].contains(option.name),
        case .words(let words, _) = option.text.completion
      else { return false }
      return words.contains(name)
    }
    return option.map { .use("\($0.name) \(name)") }
  }

  /// Returns the listen address that `--port 8080` or `--host 0.0.0.0` was meant to set.
  private static func address(for word: String, _ value: String?) -> String? {
    switch word {
    case "port", "p":
      return "127.0.0.1:\(value.flatMap(UInt16.init).map(String.init) ?? "PORT")"
    case "host", "hostname", "H":
      let host = value.flatMap { $0.isEmpty || $0.hasPrefix("-") ? nil : $0 } ?? "HOST"
      return "\(host):8080"
    default: return nil
    }
  }
}

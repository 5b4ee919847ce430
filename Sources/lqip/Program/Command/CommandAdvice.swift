import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Advice on what stands in place of a command, and on paths that name no file.
enum CommandAdvice {
  private static let synonyms = [
    "render": "decode", "draw": "decode", "preview": "decode", "server": "serve", "http": "serve",
    "generate": "encode", "hash": "encode", "create": "encode", "update": "encode --update",
    "merge": "export", "join": "export", "convert": "export", "stylesheet": "css", "manual": "man",
  ]

  /// What to type instead of a word that is no command: often an image, or a string to decode.
  static func advice(onCommand word: String, among commands: [CommandOutline]) -> Advice? {
    let path = FilePath(word)
    if isURL(word) { return advice(onURL: word) }
    if exists(path) { return .use("lqip encode \(shellWord(word))") }
    let names = (commands + CommandOutline.questions).map(\.name)
    if let name = Suggestion.nearest(to: word, among: names) { return .word(name) }
    if let name = synonyms[word] { return .use("lqip \(name)") }
    if isPlaceholder(word) { return .use("lqip decode \(shellWord(word))") }
    let isPath = word.contains("/") || word.contains(".")
    return isPath ? .use("lqip encode \(shellWord(word))") : nil
  }

  /// What to type instead of an option in place of a command.
  static func advice(onOption word: String, among commands: [CommandOutline]) -> Advice? {
    let name = String(word.prefix { $0 != "=" })
    let common = CommandOutline.common.compactMap(\.names.last)
    if name == "-v" || name == "-V" { return .word("--version") }
    let owner = commands.first { $0.options.contains { $0.names.contains(name) } }
    if let owner { return .note("options go after the command: lqip \(owner.name) \(name)") }
    return Suggestion.nearest(to: name, among: common).map { .word($0) }
  }

  /// Refuses a path that can only be a mistake: a URL, or a pattern that no shell has expanded.
  ///
  /// - Parameters:
  ///   - operand: The word of the command line.
  ///   - command: The name of the command.
  /// - Throws: What to type instead.
  static func check(_ operand: CommandArgument, of command: String) throws(UsageError) {
    let text = operand.text
    if PlaceholderKind(rawValue: text) != nil, !exists(operand.path) {
      throw .conflict(
        "no such file: '\(text)'; separate kinds with commas, as in --kinds lqip,\(text)")
    }
    guard isURL(text) || text.contains("*"), !exists(operand.path) else { return }
    guard !isURL(text) else {
      let advice =
        command == EncodeCommand.name ? advice(onURL: text) : .note("download the file first")
      throw .conflict("\(FilePath(text)): URLs are not supported\(advice.text)")
    }
    let directory = operand.path.directory
    let pattern = String(decoding: operand.path.name, as: UTF8.self)
    let place = directory.bytes.isEmpty ? "." : directory.description
    throw .conflict(
      "\(FilePath(text)): no such file; remove the quotes so that the shell expands it, or use: "
        + "lqip \(command) \(shellWord(place)) --include \(shellWord(pattern))")
  }

  /// The error of a string that is no placeholder but the name of a file.
  static func advisedError(on text: String) -> PreviewError? {
    guard exists(FilePath(text)) else { return nil }
    return .malformed(
      "\(FilePath(text)): expected a placeholder, not a file"
        + Advice.use("lqip encode \(shellWord(text))").text)
  }

  private static func advice(onURL text: String) -> Advice {
    .use("curl -fsSL \(shellWord(text)) | lqip encode --stdin")
  }

  private static func isPlaceholder(_ text: String) -> Bool {
    (try? BlurHash(text)) != nil || (try? PackedLQIP(text)) != nil
      || (try? ThumbHash(text)) != nil
  }

  private static func isURL(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  private static func exists(_ path: FilePath) -> Bool {
    (try? FileStatus(of: path, followsLinks: false)) != nil
  }

  /// A word as it is typed, in quotes where it needs them.
  private static func shellWord(_ text: String) -> String {
    let text = FilePath(text).description
    let plain = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_./:@%+=,".utf8.contains($0) }
    return plain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}

import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Suggestions for unknown commands and mistaken paths.
enum CommandAdvice {
  private static let synonyms = [
    "render": "decode", "draw": "decode", "preview": "decode", "server": "serve", "http": "serve",
    "generate": "encode", "hash": "encode", "create": "encode", "update": "encode --update",
    "merge": "export", "join": "export", "convert": "export", "stylesheet": "css", "manual": "man",
  ]

  /// Returns a suggestion for an unknown command, which is often an image or a placeholder.
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

  /// Returns a suggestion for an option given where a command is expected.
  static func advice(onOption word: String, among commands: [CommandOutline]) -> Advice? {
    let name = String(word.prefix { $0 != "=" })
    let common = CommandOutline.common.compactMap(\.names.last)
    if name == "-v" || name == "-V" { return .word("--version") }
    let owner = commands.first { $0.options.contains { $0.names.contains(name) } }
    if let owner { return .note("options go after the command: lqip \(owner.name) \(name)") }
    return Suggestion.nearest(to: name, among: common).map { .word($0) }
  }

  /// Rejects a missing path that is a placeholder kind, a URL or a quoted glob.
  ///
  /// - Parameters:
  ///   - operand: The path as it was typed.
  ///   - command: The name of the command.
  /// - Throws: A ``UsageError`` with a suggestion if the path is rejected.
  static func check(_ operand: CommandArgument, of command: String) throws(UsageError) {
    let text = operand.text
    if PlaceholderKind(rawValue: text) != nil, !exists(operand.path) {
      throw .conflict(
        "no such file: '\(text)'; separate kinds with commas, as in --kinds lqip,\(text)")
    }
    guard isURL(text) || text.contains("*"), !exists(operand.path) else { return }
    guard !isURL(text) else {
      let advice =
        command == EncodeCommand.text.name ? advice(onURL: text) : .note("download the file first")
      throw .conflict("\(FilePath(text)): URLs are not supported\(advice.text)")
    }
    let directory = operand.path.directory
    let pattern = String(decoding: operand.path.name, as: UTF8.self)
    let place = directory.bytes.isEmpty ? "." : directory.description
    throw .conflict(
      "\(FilePath(text)): no such file; remove the quotes so that the shell expands the pattern, or "
        + "use: lqip \(command) \(shellWord(place)) --include \(shellWord(pattern))")
  }

  /// Returns an error if text given where a placeholder is expected is the name of an existing file.
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
    BlurHash(text) != nil || LQIP.PackedColors(text) != nil || ThumbHash(text) != nil
      || TinyJPEG(text) != nil
  }

  private static func isURL(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  private static func exists(_ path: FilePath) -> Bool {
    (try? FileStatus(of: path, followsLinks: false)) != nil
  }

  /// Returns a word for a shell command line, in quotes if needed.
  private static func shellWord(_ text: String) -> String {
    let text = FilePath(text).description
    let plain = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_./:@%+=,".utf8.contains($0) }
    return plain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}

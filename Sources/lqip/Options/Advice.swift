package import LqipSystem
import PlaceholderEncoding

/// What people type and what they mean: the ends of error messages, which say what to type next.
///
/// Of 113 tried mistakes, 29 had an answer without that. The tables are only read after an error.
package enum Advice {
  /// What is quoted in a message of a command, or how the message begins.
  ///
  /// In the advice, `*` is the quoted word without dashes.
  private static let messages: [(command: String, words: [String], advice: String)] = [
    ("", ["-i", "--input", "--encode", "-f", "--file"], "use: lqip encode PATH"),
    ("", ["--decode", "-d"], "use: lqip decode STRING"),
    ("", ["--serve", "server", "http", "start"], "use: lqip serve"),
    ("", kinds, "use: lqip encode --text * photo.jpg"),
    (
      "", ["upgrade", "update"], "install a newer release; 'lqip encode --update' updates an output"
    ),
    ("encode", ["-r", "-R", "--recursive"], "directories are searched recursively"),
    ("encode", ["-k", "-t"], "use --kinds KIND,..."),
    ("encode", kinds.map { "--\($0)" }, "to select kinds, use --kinds *"),
    ("encode", ["-x", "-y"], "use --components 4x3"),
    (
      "encode", ["--json", "--csv", "--ndjson", "--format", "-f"],
      "the extension of the output selects the format: -o FILE.json, FILE.csv or FILE.ndjson"
    ),
    (
      "encode", ["-v", "--verbose", "--debug"],
      "progress is shown on a terminal, unless --quiet is given"
    ),
    (
      "encode", ["--width", "--height", "--size", "--resize"],
      "lqip does not resize images; --preview-bytes N limits previews"
    ),
    ("encode", ["--threads", "--workers", "-n"], "use --jobs N"),
    ("encode", ["--jobs"], "omit the option to use all cores"),
    (
      "encode", ["--background"],
      "thumbhash, preview and svg keep transparency; other kinds need a color"
    ),
    ("decode", ["-s", "--size"], "use --width N --height N"),
    ("decode", ["-f", "--format"], "the output is PNG: -o FILE.png"),
    (
      "serve", ["-p", "--port", "-b", "--bind", "--host", "--address"],
      "use --listen 127.0.0.1:8080"
    ),
    ("serve", ["--listen"], "for example --listen 127.0.0.1:8080"),
    ("serve", ["--token"], "use --token-file FILE"),
    ("serve", ["--cors"], "use --cors-origin ORIGIN"),
    ("serve", ["--threads", "--workers"], "use --jobs N"),
    (
      "serve", ["unexpected argument"],
      "start 'lqip serve', then use: curl --data-binary @photo.jpg http://127.0.0.1:8080/v1/encode"
    ),
    (
      "css", ["unexpected argument", "--kind"],
      "'lqip css' prints a stylesheet; for the values, use: lqip encode photo.jpg --kinds lqip,css"
    ),
    ("gallery", ["missing argument"], "use: lqip gallery PATH -o gallery.html"),
    (
      "html", ["unexpected argument", "missing argument"],
      "pass the directory of the site: lqip html DIRECTORY"
    ),
    ("html", ["-i", "--in-place", "--write"], "without -o, the pages are changed in place"),
    ("html", ["-n", "--dry-run"], "use --check"),
    ("man", ["unexpected argument"], "use: lqip help *"),
    ("healthcheck", ["PORT"], "use: lqip healthcheck 8080"),
  ]

  /// The first bytes of a request body that is not the file itself.
  private static let bodies: [(starts: [String], advice: String)] = [
    (["{", "http://", "https://"], "send the bytes of the image; the server fetches no URLs"),
    (
      ["data:", "/9j/", "iVBORw0KGgo", "R0lGOD", "UklGR"],
      "send the bytes of the image, not their base64 form"
    ),
    (["@"], "use: curl --data-binary @FILE"),
  ]

  private static let kinds = PlaceholderKind.allCases.map(\.rawValue)
  private static let extensions = ["jpg", "jpeg", "png", "webp", "gif", "avif", "heic"]

  /// Returns the advice for a usage error; empty if there is none.
  package static func usage(_ message: String, of command: String) -> String {
    guard !message.includes("use: "), !message.includes("did you mean") else { return "" }
    let parts = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    let quoted = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
    if let word = quoted.first, word.hasPrefix("-"), isImage(word) {
      return "; for the file, use ./\(word)"
    }
    // The gallery has the options of 'encode'.
    for row in messages
    where row.command == command || command == "gallery" && row.command == "encode" {
      guard
        let word = quoted.first(where: row.words.contains)
          ?? (row.words.contains(where: message.hasPrefix) ? quoted.first ?? "" : nil)
      else { continue }
      return "; " + row.advice.replacing("*", with: String(word.drop { $0 == "-" }))
    }
    return ""
  }

  /// Returns the advice for a path that does not exist; empty if there is none.
  package static func missing(_ path: FilePath) -> String {
    let text = String(decoding: path.bytes, as: UTF8.self)
    let words = CommandArgument.all.map(\.text)
    let next = words.firstIndex(of: text).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    let advice: String? =
      if text.hasSuffix("\r") {
        "the list has Windows line ends; use: tr -d '\\r' <LIST | lqip encode -"
      } else if text.hasPrefix("file://") {
        "use: \(quoted(String(text.dropFirst("file://".count))))"
      } else if text.hasPrefix("~") {
        "the shell expands '~' outside quotes only"
      } else if text.includes(":\\") {
        "use: "
          + quoted(
            "/mnt/\(text.prefix(1).lowercased())\(String(text.dropFirst(2)).replacing("\\", with: "/"))"
          )
      } else if text.includes("*") || text.includes("?") {
        "the shell expands patterns outside quotes only; or use: lqip encode DIRECTORY --include '*.jpg'"
      } else if kinds.contains(text) {
        "separate kinds by commas: --kinds KIND,\(text)"
      } else if let next, exists("\(text) \(next)") {
        "quote the name: '\(text) \(next)'"
      } else {
        nil
      }
    // The path may come from an archive or a list, and must not control the terminal.
    return advice.map { " (\(FilePath($0)))" } ?? ""
  }

  /// Returns a path as it can be typed, in quotes if necessary.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%".contains($0) }
    return isPlain ? path : "'\(path)'"
  }

  /// Returns the advice for a directory that cannot be listed; empty if there is none.
  package static func site(_ path: FilePath) -> String {
    guard path.hasExtension(in: ["html", "htm"]), exists("\(path)") else { return missing(path) }
    let directory = path.directory.bytes.isEmpty ? "." : "\(path.directory)"
    return "; pass the directory of the site: lqip html \(directory)"
  }

  /// Returns the advice for a string that is not a placeholder; empty if there is none.
  package static func decoding(_ string: String) -> String {
    guard exists(string) || isImage(string) else { return "" }
    return "; for an image, use: lqip encode \(quoted("\(FilePath(string))"))"
  }

  /// Returns the advice for a request body that is not an image, given its first bytes; empty if there is none.
  package static func body(_ bytes: [UInt8], contentType: String?) -> String {
    // `curl -d` removes line ends and NUL, and has the same content type as `curl --data-binary`.
    if contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
      !bytes.isEmpty, !bytes.contains(where: { [0, 10, 13].contains($0) })
    {
      return "; the body was sent as a form; use: curl --data-binary @FILE"
    }
    let start = String(decoding: bytes, as: UTF8.self)
    let row = bodies.first { row in row.starts.contains { start.hasPrefix($0) } }
    return row.map { "; \($0.advice)" } ?? ""
  }

  private static func isImage(_ name: String) -> Bool {
    extensions.contains { name.lowercased().hasSuffix(".\($0)") }
  }

  private static func exists(_ name: String) -> Bool {
    (try? FileStatus(of: FilePath(name), followsLinks: false)) != nil
  }
}

import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// Prints the stylesheet that renders LQIPs.
struct CSSCommand: Command {
  var output = OutputOptions()
  var sheet = Sheet.lqip

  enum Sheet: String, CaseIterable, Sendable {
    case lqip, css
  }

  static let text = CommandText(
    name: "css",
    summary: "Print the stylesheet that renders LQIPs in a browser",
    discussion: """
      An element with style="--lqip:#ccd94c11" gets a gradient background. On an <img> element, the \
      gradient is visible while the image loads. 'lqip encode --text lqip' prints the value of --lqip. \
      With '--lqip six', it prints the values of --lqip and --lqip2.
      """,
    examples: [
      "Write the stylesheet for your site": "lqip css -o lqip.css",
      "Write the stylesheet for the kind 'css'": "lqip css --kind css -o lqip-css.css",
    ])

  static let groups: KeyValuePairs<String, [CommandOption<Self>]> = [
    "Options": OutputOptions.table().map { $0.lifted(to: \.output) } + [
      .value(
        "--kind", "KIND", { $0.sheet = $1 }, .choice,
        help: "Set the placeholder kind: lqip (default) or css",
        details:
          "'lqip' renders values of --lqip such as '#ccd94c11'; 'css' renders integers of --lqip-css."
      )
    ]
  ]

  func validate() throws(UsageError) {
    try output.checkExtension(in: ["css"])
  }

  func run() throws(CommandError) -> ExitStatus {
    let sheets = [LQIP.stylesheet, CSSInteger.stylesheet].map { Array($0.utf8) }
    // Rules that were added to a stylesheet stand behind its own.
    try output.replace(with: sheet == .lqip ? sheets[0] : sheets[1]) { file in
      sheets.contains { file.starts(with: $0.prefix(64)) && file.suffix(64) == $0.suffix(64) }
    }
    return .success
  }
}

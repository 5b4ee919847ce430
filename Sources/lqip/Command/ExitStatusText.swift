/// Explains the exit codes, for help and the manual.
enum ExitStatusText {
  static let rows: [(codes: String, meaning: String)] = [
    ("0", "success"),
    ("1", "some images failed; their records say why"),
    ("2", "usage error"),
    ("3", "the output could not be written, or is incomplete"),
    ("4", "the input could not be listed completely"),
    ("129", "interrupted by SIGHUP (130: SIGINT, 143: SIGTERM)"),
    ("141", "broken pipe, for example '| head'"),
  ]
}

/// Explains the exit codes, for help and the manual.
enum ExitStatusText {
  static let rows: [(codes: String, meaning: String)] = [
    ("0", "success"),
    ("1", "some images failed; their records contain an error"),
    ("2", "usage error"),
    ("3", "the output could not be written, or is incomplete"),
    ("4", "a directory, archive, list or export FILE could not be read, or no image was found"),
    ("129, 130, 143", "terminated by SIGHUP, SIGINT or SIGTERM"),
    ("141", "broken pipe, for example '| head'"),
  ]
}

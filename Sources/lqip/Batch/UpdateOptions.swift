/// What becomes of the records of an earlier run.
struct UpdateOptions: Hashable, Sendable {
  var isOn = false
  var comparesContent = false
  var keepsMissing = false

  /// The rows for the tables of the commands.
  static let table: [CommandOption<Self>] = [
    .flag(
      "--update", \.isOn,
      help: "Reuse the records in the output FILE whose images have the same size and modification "
        + "time and were made with the same settings."),
    .flag(
      "--checksum", \.comparesContent,
      help: "Tell unchanged images by the SHA-256 of their content, not by their time; the records "
        + "then carry it."),
    .flag(
      "--keep-missing", \.keepsMissing,
      help: "With --update, keep the records of images that are not there any more."),
  ]

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError) {
    guard isOn || !keepsMissing else { throw .conflict("--keep-missing needs --update") }
  }
}

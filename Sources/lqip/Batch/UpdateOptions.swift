package import LqipOptions

/// What becomes of the records of an earlier run.
package struct UpdateOptions: Hashable, Sendable {
  package var isOn: Bool
  var comparesContent: Bool
  var keepsMissing: Bool

  package init(isOn: Bool = false, comparesContent: Bool = false, keepsMissing: Bool = false) {
    self.isOn = isOn
    self.comparesContent = comparesContent
    self.keepsMissing = keepsMissing
  }

  /// The rows for the tables of the commands.
  package static let table: [CommandOption<Self>] = [
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
  package func validate() throws(UsageError) {
    guard isOn || !keepsMissing else { throw .conflict("--keep-missing needs --update") }
  }
}

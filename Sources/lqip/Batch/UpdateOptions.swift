internal import LqipFiles
package import LqipOptions

/// What becomes of the records of an earlier run.
package struct UpdateOptions: Hashable, Sendable {
  package var isOn: Bool
  package var comparesContent: Bool
  package var keepsMissing: Bool
  package var deletionLimit: DeletionLimit?
  /// Whether an interrupted run replaces the output by what it has done.
  package var writesPartial: Bool

  package init(
    isOn: Bool = false, comparesContent: Bool = false, keepsMissing: Bool = false,
    deletionLimit: DeletionLimit? = nil, writesPartial: Bool = false
  ) {
    self.isOn = isOn
    self.comparesContent = comparesContent
    self.keepsMissing = keepsMissing
    self.deletionLimit = deletionLimit
    self.writesPartial = writesPartial
  }

  /// The rows for the tables of the commands.
  package static let table: [CommandOption<Self>] = [
    .flag(
      "--update", \.isOn,
      help: "Reuse the records in the output FILE whose images have the same size and modification "
        + "time and were made with the same settings. Records are dropped only if their files are "
        + "known to be gone, and no good record gives way to an error that may pass."),
    .flag(
      "--checksum", \.comparesContent,
      help: "Tell unchanged images by the SHA-256 of their content, not by their time; the records "
        + "then carry it."),
    .flag(
      "--keep-missing", \.keepsMissing,
      help: "With --update, keep the records of images that are not there any more."),
    .value(
      "--max-delete", "N|P%", \.deletionLimit, .deletionLimit,
      help: "With --update, drop no record at all if there are more than N to drop, or more than "
        + "P percent of those in FILE."),
    .flag(
      "--partial", \.writesPartial,
      help: "Replace the output FILE by what is done when a signal ends the work early; without it "
        + "and without --update, the old output stays and the journal has what is done."),
  ]

  /// Refuses settings that do not fit together.
  package func validate() throws(UsageError) {
    guard isOn || !keepsMissing else { throw .conflict("--keep-missing needs --update") }
    guard isOn || deletionLimit == nil else { throw .conflict("--max-delete needs --update") }
  }
}

extension OptionValue<DeletionLimit> {
  /// A number of records, or a part of them.
  package static var deletionLimit: Self {
    OptionValue(allowed: "a number of records such as 100, or a percentage such as 10%") {
      argument in
      let isPercentage = argument.text.hasSuffix("%")
      let digits = argument.text.dropLast(isPercentage ? 1 : 0)
      guard let number = Int(decimal: digits) else { return nil }
      guard isPercentage else { return .count(number) }
      return number <= 100 ? .percent(number) : nil
    }
  }
}

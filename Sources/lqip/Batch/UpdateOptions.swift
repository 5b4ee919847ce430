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
      help: "Encode only new or modified files",
      details: "A record in the output FILE is reused if its image has the same size and "
        + "modification time and the settings are the same. The record of a missing file is dropped "
        + "only if all input could be listed. A good record is kept when re-encoding fails with a "
        + "transient error."),
    .flag(
      "--checksum", \.comparesContent,
      help: "Compare files by SHA-256, not modification time",
      details: "Records then have the field 'sha256'."),
    .flag(
      "--keep-missing", \.keepsMissing,
      help: "With --update, keep the records of missing files"),
    .value(
      "--max-delete", "N|P%", \.deletionLimit, .deletionLimit,
      help: "With --update, drop at most N records, or P%",
      details:
        "If more than N records, or P percent of those in FILE, would be dropped, all are kept "
        + "and the exit status is 3."),
    .flag(
      "--partial", \.writesPartial,
      help: "Write finished records if interrupted by a signal",
      details: "By default, an interrupted run without --update keeps the old output, and the "
        + "finished records are in the journal."),
  ]

  /// Refuses settings that do not fit together.
  package func validate() throws(UsageError) {
    guard isOn || !keepsMissing else { throw .conflict("--keep-missing requires --update") }
    guard isOn || deletionLimit == nil else { throw .conflict("--max-delete requires --update") }
  }
}

extension OptionValue<DeletionLimit> {
  /// A number of records, or a part of them.
  package static var deletionLimit: Self {
    OptionValue(allowed: "a number of records such as 100 or a percentage such as 10%") {
      argument in
      let isPercentage = argument.text.hasSuffix("%")
      let digits = argument.text.dropLast(isPercentage ? 1 : 0)
      guard let number = Int(decimal: digits) else { return nil }
      guard isPercentage else { return .count(number) }
      return number <= 100 ? .percent(number) : nil
    }
  }
}

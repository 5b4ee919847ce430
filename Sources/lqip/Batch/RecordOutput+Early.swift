internal import LqipFiles

extension RecordOutput {
  /// Where to find what a run has done that does not reach its end, as the rest of a sentence; empty if
  /// there is none.
  package var whereWorkIs: String {
    guard stamps != nil, let journal, !journal.isEmpty else { return "" }
    return "; --update resumes from the finished records in \(journal.path)"
  }

  /// Whether nothing in the journal is of use to a later run.
  ///
  /// What a killed run had done further on than an interrupted one is in its journal alone. Of a run
  /// without stamps that journal has nothing: it is spent once a whole output has replaced the one that it
  /// was for, or else its records would come back among those of the next update.
  func isJournalSpent(by summary: BatchSummary) -> Bool {
    guard let journal, !journal.isEmpty else { return true }
    let isInterrupted = summary.signal != nil
    guard stamps != nil else { return !isInterrupted && !summary.isInputIncomplete }
    return !isInterrupted || previous?.journalEnd ?? 0 == 0
  }

  /// Tells that an interrupted run has replaced nothing.
  func tellOldOutputStays() {
    StandardError.print("interrupted: \(destination) is unchanged\(whereWorkIs)")
  }

  /// What an interrupted run has added to its output file.
  var whatIsDone: String? {
    guard let file = destination.file else { return nil }
    let count = "\(newCount) new \(newCount == 1 ? "record" : "records")"
    let next = stamps == nil ? "" : ", from which --update resumes"
    return "interrupted after \(count), written to \(file)\(next)"
  }
}

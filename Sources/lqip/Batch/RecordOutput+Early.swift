internal import LqipFiles

extension RecordOutput {
  /// Where to find what a run has done that does not reach its end, as the rest of a sentence; empty for
  /// nowhere.
  package var whereWorkIs: String {
    guard let journal, !journal.isEmpty else { return "" }
    return "; what is done is in \(journal.path), from which the next --update goes on"
  }

  /// Tells that an interrupted run has replaced nothing.
  func tellOldOutputStays() {
    StandardError.print("interrupted: \(destination) is left as it was\(whereWorkIs)")
  }

  /// What an interrupted run has added to its output file.
  var whatIsDone: String? {
    guard let file = destination.file else { return nil }
    let count = "\(newCount) new \(newCount == 1 ? "record" : "records")"
    let next = stamps == nil ? "" : ", from which the next --update goes on"
    return "interrupted after \(count): what is done is in \(file)\(next)"
  }
}

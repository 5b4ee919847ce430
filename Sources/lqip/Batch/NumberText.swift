/// Writes measured numbers for people, with no more digits than they look at.
enum NumberText {
  /// A number of at least zero, with a decimal where it is small.
  static func number(_ value: Double) -> String {
    // What no machine reaches is not worth a trap.
    let tenths = Int(min(1e15, value * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }

  /// Hours, minutes and seconds, as many as there are: `0:05`, `12:34`, `1:00:00`.
  static func clock(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let hours = seconds / 3600
    return (hours > 0 ? "\(hours):" : "")
      + (hours > 0 ? twoDigits(seconds / 60 % 60) : "\(seconds / 60)")
      + ":" + twoDigits(seconds % 60)
  }

  /// How long something took: seconds with a decimal, or from a minute on as a clock shows it.
  static func elapsed(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : clock(.seconds(tenths / 10))
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

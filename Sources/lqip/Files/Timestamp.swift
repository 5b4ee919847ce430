#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A moment, to the nanosecond.
struct Timestamp: Hashable, Sendable {
  let seconds: Int
  let nanoseconds: Int

  init(_ time: timespec) {
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// The moment as RFC 3339 writes it, in UTC with nine digits after the second's point.
  var text: String {
    let (days, second) = Self.division(seconds, by: 86_400)
    let date = Self.date(ofDay: days)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }
    let day = [(date.year, 4), (date.month, 2), (date.day, 2)].map { Self.padded($0, to: $1) }
    return "\(day.joined(separator: "-"))T\(clock.joined(separator: ":"))"
      + ".\(Self.padded(nanoseconds, to: 9))Z"
  }

  /// The date so many days after 1 January 1970.
  ///
  /// Years are counted from March, so that the leap day is the last; 400 of them have 146,097 days.
  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = division(day + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// Divides so that the remainder is not negative.
  private static func division(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ number: Int, to count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

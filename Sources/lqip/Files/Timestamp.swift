/// A moment, to the nanosecond.
package struct Timestamp: Hashable, Sendable {
  package let seconds: Int
  package let nanoseconds: Int

  package init(_ time: timespec) {
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// The present moment.
  package static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(time)
  }

  /// The moment as RFC 3339 writes it, in UTC with nine digits after the second's point.
  package var text: String {
    String(decoding: utf8, as: UTF8.self)
  }

  /// The characters of the text.
  package var utf8: [UInt8] {
    let (days, second) = Self.division(seconds, by: 86_400)
    let date = Self.date(ofDay: days)
    var text: [UInt8] = []
    text.reserveCapacity(32)
    Self.write(date.year, digitCount: 4, to: &text, before: "-")
    Self.write(date.month, digitCount: 2, to: &text, before: "-")
    Self.write(date.day, digitCount: 2, to: &text, before: "T")
    Self.write(second / 3600, digitCount: 2, to: &text, before: ":")
    Self.write(second / 60 % 60, digitCount: 2, to: &text, before: ":")
    Self.write(second % 60, digitCount: 2, to: &text, before: ".")
    Self.write(nanoseconds, digitCount: 9, to: &text, before: "Z")
    return text
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

  /// Writes a number with zeros before it, or as it is if it does not fit, and what follows it.
  private static func write(
    _ number: Int, digitCount: Int, to text: inout [UInt8], before end: Unicode.Scalar
  ) {
    defer { text.append(UInt8(ascii: end)) }
    var divisor = 1
    for _ in 1..<digitCount { divisor *= 10 }
    guard number >= 0, number < divisor * 10 else { return text += String(number).utf8 }
    while divisor > 0 {
      text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

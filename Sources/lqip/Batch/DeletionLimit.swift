/// How many records of an earlier run may be dropped at once.
package enum DeletionLimit: Hashable, Sendable {
  case count(Int)
  case percent(Int)

  /// Whether so many of a number of records may be dropped.
  package func allows(_ dropped: Int, of count: Int) -> Bool {
    switch self {
    case .count(let most): dropped <= most
    case .percent(let most): dropped * 100 <= most * count
    }
  }
}

extension DeletionLimit: CustomStringConvertible {
  /// The limit as it is written on a command line.
  package var description: String {
    switch self {
    case .count(let most): "\(most)"
    case .percent(let most): "\(most)%"
    }
  }
}

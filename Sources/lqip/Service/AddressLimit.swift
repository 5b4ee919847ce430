internal import LqipFiles

/// Limits the number of connections from each address.
final class AddressLimit: Sendable {
  private let counts = Monitor<[ClientAddress: Int]>([:])
  private let maximum: Int?

  /// Sets the limit; nil for none.
  init(_ maximum: Int?) {
    self.maximum = maximum
  }

  /// Whether one more connection is allowed; one without a network address always is.
  func admits(_ address: ClientAddress?) -> Bool {
    guard let maximum, let address else { return true }
    return counts.withLock { $0[address, default: 0] < maximum }
  }

  /// Counts a connection.
  func add(_ address: ClientAddress?) {
    guard maximum != nil, let address else { return }
    counts.withLock { $0[address, default: 0] += 1 }
  }

  /// Forgets a connection that was counted.
  func remove(_ address: ClientAddress?) {
    guard maximum != nil, let address else { return }
    counts.withLock { counts in
      let count = counts[address, default: 0]
      counts[address] = count > 1 ? count - 1 : nil
    }
  }
}

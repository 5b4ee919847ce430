internal import LqipFiles

/// Collects a body piece by piece, under a limit.
///
/// The library lets a body be answered only when it is over. So what comes after the limit is
/// thrown away for as long as a client may take to notice, and then there is no answer.
final class RequestCollector {
  /// How much room is set aside for a body before it arrives: what a server with a large limit is
  /// told of may be more than the system has.
  private static let largestReservation = 64 << 20

  private let maximum: Int
  private let budget: BodyBudget
  /// Asks that memory be made free.
  private let shortage: () -> Void
  private var taken = 0
  /// The body so far; empty once it is refused.
  private(set) var bytes: [UInt8] = []
  /// How many bytes arrived.
  private(set) var byteCount = 0
  /// Why the body is thrown away, if it is.
  private(set) var refusal: Problem?

  /// Prepares for a body.
  ///
  /// - Parameters:
  ///   - length: How many bytes it says it has, within the limit; nil if it does not say.
  ///   - maximum: The most bytes that are kept.
  ///   - budget: What bodies may take together.
  ///   - shortage: Called when that is used up, to ask for some of it back.
  init(
    expecting length: Int?, maximum: Int, budget: BodyBudget, shortage: @escaping () -> Void = {}
  ) {
    self.maximum = maximum
    self.budget = budget
    self.shortage = shortage
    // At once, so that the bytes do not move: room takes no memory before something arrives.
    bytes.reserveCapacity(min(length ?? maximum, Self.largestReservation))
  }

  deinit { budget.release(taken) }

  /// Takes the next piece, or tells that the client has had enough time to stop.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    byteCount += piece.count
    guard byteCount <= maximum else {
      refuse(Self.tooLarge(maximum))
      return byteCount - maximum <= maximum
    }
    guard refusal == nil else { return true }
    guard budget.take(piece.count, after: taken, shortage: shortage) else {
      refuse(
        Problem(
          status: 503, code: "busy", detail: "too many bodies wait to be answered", retryAfter: 1))
      return true
    }
    taken += piece.count
    unsafe bytes.append(contentsOf: piece)
    return true
  }

  /// The problem of a body of more bytes than allowed.
  static func tooLarge(_ maximum: Int) -> Problem {
    Problem(
      status: 413, code: "too_large", detail: "the body is larger than \(ByteCount.text(maximum))")
  }

  private func refuse(_ problem: Problem) {
    refusal = refusal ?? problem
    bytes = []
    budget.release(taken)
    taken = 0
  }
}

internal import LqipFiles

/// Collects a body piece by piece, under a limit.
///
/// The library takes an answer only after the whole body. So what comes after the limit is thrown
/// away, up to as many bytes again; then the connection is closed.
final class RequestCollector {
  /// The most room that is set aside for a body before it arrives: where the limit is large, a
  /// client may announce more than there is.
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
    // At once, so that the bytes need not move; what is empty takes no memory yet.
    bytes.reserveCapacity(min(length ?? maximum, Self.largestReservation))
  }

  deinit { budget.release(taken) }

  /// Takes the next piece, or tells that too much has come to go on.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    byteCount += piece.count
    guard byteCount <= maximum else {
      refuse(Self.tooLarge(maximum))
      return byteCount - maximum <= maximum
    }
    guard refusal == nil else { return true }
    guard budget.take(piece.count, after: taken, shortage: shortage) else {
      refuse(.busy("too many bodies wait to be answered"))
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

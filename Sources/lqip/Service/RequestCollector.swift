internal import LqipFiles

/// Collects a body piece by piece, under a limit.
///
/// The library takes an answer only after the whole body. So what comes after the limit is thrown
/// away, up to as many bytes again; then the connection is closed.
final class RequestCollector {
  /// The least room that is made for a body.
  private static let leastCapacity = 4 << 10

  private let maximum: Int
  /// How many bytes there can be.
  private let mostCapacity: Int
  private let budget: BodyBudget
  /// Asks that memory be made free.
  private let shortage: () -> Void
  /// The body so far, whose room is out of the budget; empty once it is refused.
  let bytes = BodyBytes()
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
    mostCapacity = min(length ?? maximum, maximum)
    self.budget = budget
    self.shortage = shortage
  }

  deinit { budget.release(bytes.capacity) }

  /// Takes the next piece, or tells that too much has come to go on.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    byteCount += piece.count
    guard byteCount <= maximum else {
      refuse(Self.tooLarge(maximum))
      return byteCount - maximum <= maximum
    }
    guard refusal == nil else { return true }
    guard makeRoom(for: piece.count) else { return true }
    unsafe bytes.append(piece)
    return true
  }

  /// Makes room for so many bytes more, or refuses the body.
  ///
  /// It is made as bytes arrive: a client may announce more than it sends, or nothing.
  private func makeRoom(for count: Int) -> Bool {
    let (room, needed) = (bytes.capacity, bytes.count + count)
    guard needed > room else { return true }
    let capacity = max(needed, min(mostCapacity, max(Self.leastCapacity, 2 * room)))
    guard budget.take(capacity - room, after: room, shortage: shortage) else {
      refuse(.busy("too many uploads in flight"))
      return false
    }
    guard bytes.reserve(capacity) else {
      budget.release(capacity - room)
      refuse(.busy("not enough memory for the request body"))
      return false
    }
    return true
  }

  /// The problem of a body of more bytes than allowed.
  static func tooLarge(_ maximum: Int) -> Problem {
    Problem(
      status: 413, code: "too_large", detail: "the body exceeds \(ByteCount.text(maximum))")
  }

  private func refuse(_ problem: Problem) {
    refusal = refusal ?? problem
    budget.release(bytes.capacity)
    bytes.removeAll()
  }
}

/// How encoding one image takes turns with encoding others.
package protocol EncodingTurn {
  /// Says that a call of the system came back, and that the next is made.
  func goOn()
  /// Waits for room for bytes, and gives false for more than there ever is.
  func reserve(_ byteCount: Int) -> Bool
  /// Does what needs a core as soon as one is free.
  func decode<Result>(_ body: () -> Result) -> Result
}

/// The turn of whoever encodes one image at a time.
package struct SingleTurn: EncodingTurn {
  package init() {}

  package func goOn() {}

  package func reserve(_ byteCount: Int) -> Bool {
    true
  }

  package func decode<Result>(_ body: () -> Result) -> Result {
    body()
  }
}

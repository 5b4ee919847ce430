/// How encoding one image takes turns with encoding others.
package protocol EncodingTurn {
  /// Notes that a system call came back and the next one begins.
  func goOn()

  /// Waits for room for bytes, and gives false for more than there ever is.
  func reserve(_ byteCount: Int) -> Bool

  /// Does what needs a core as soon as one is free.
  func decode<Result>(_ body: () -> Result) -> Result
}

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

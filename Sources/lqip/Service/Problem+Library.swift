extension Problem {
  /// What the library refuses by itself, as this server would have said it.
  init(refusedByLibrary status: Int) {
    switch status {
    case 413:
      self.init(status: status, code: "too_large", detail: "a length is larger than any limit")
    case 414:
      self.init(status: status, code: "too_large", detail: "the target is too long")
    case 431:
      self.init(status: status, code: "too_large", detail: "the head or the trailer is too long")
    default:
      // It calls it an error of its own where the line before a chunk is too long for its memory.
      self = .malformed("the request cannot be read")
    }
  }
}

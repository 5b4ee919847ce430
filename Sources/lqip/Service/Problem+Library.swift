extension Problem {
  /// What the library refuses by itself, as this server would have said it.
  init(refusedByLibrary status: Int) {
    switch status {
    case 413:
      self.init(status: status, code: "too_large", detail: "the body is too large")
    case 414:
      self.init(status: status, code: "too_large", detail: "the request target is too long")
    case 431:
      self.init(
        status: status, code: "too_large", detail: "the header or trailer section is too large")
    default:
      // It calls it an error of its own where the line before a chunk is too long for its memory.
      self = .malformed("malformed request")
    }
  }
}

extension RequestHead {
  /// The elements of a field that is a list, from all the lines that it is spread over.
  func list(_ name: String) -> [Substring] {
    fields.filter { $0.name == name }
      .flatMap { $0.value.split(separator: ",") }.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}

extension Substring {
  /// The text without the spaces and tabs at its ends.
  var trimmingBlanks: Substring {
    let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
    guard let first = utf8.firstIndex(where: isText), let last = utf8.lastIndex(where: isText)
    else { return "" }
    return self[first..<utf8.index(after: last)]
  }
}

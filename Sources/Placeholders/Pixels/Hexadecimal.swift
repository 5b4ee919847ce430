/// The digits' values behind a `#`; nil if the text is anything else.
func hexDigits(of text: String) -> [UInt8]? {
  guard text.utf8.first == UInt8(ascii: "#") else { return nil }
  var digits: [UInt8] = []
  for character in text.utf8.dropFirst() {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(character - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(character - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(character - UInt8(ascii: "A") + 10)
    default: return nil
    }
  }
  return digits
}

/// `#` and lowercase digits, with the zeros in front that CSS needs.
func hexString(_ value: UInt32, digitCount: Int) -> String {
  let digits = String(value, radix: 16)
  return "#" + String(repeating: "0", count: digitCount - digits.count) + digits
}

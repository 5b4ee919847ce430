/// An error in a command line.
package enum UsageError: Error, Hashable, Sendable {
  case missingCommand
  case unknownCommand(String, Advice?)
  case unknownOption(String, Advice?)
  case missingValue(option: String, placeholder: String, Advice? = nil)
  case unexpectedValue(option: String)
  case invalidValue(String, option: String, allowed: String, Advice? = nil)
  case missingOperand(String)
  case emptyOperand(String)
  case unexpectedOperand(String)
  /// Options that are each right but do not fit together.
  case conflict(String)
}

extension UsageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingCommand:
      "no command given"
    case .unknownCommand(let name, let advice):
      "unknown command '\(name)'\(advice?.text ?? "")"
    case .unknownOption(let name, let advice):
      "unknown option '\(name)'\(advice?.text ?? "")"
    case .missingValue(let option, let placeholder, let advice):
      "option '\(option)' needs a value: \(option) \(placeholder)\(advice?.text ?? "")"
    case .unexpectedValue(let option):
      "option '\(option)' takes no value"
    case .invalidValue(let value, let option, let allowed, let advice):
      "invalid value '\(value)' for '\(option)': expected \(allowed)\(advice?.text ?? "")"
    case .missingOperand(let name):
      "missing argument \(name)"
    case .emptyOperand(let name):
      "argument \(name) is empty"
    case .unexpectedOperand(let text):
      "unexpected argument '\(text)'"
    case .conflict(let reason):
      reason
    }
  }
}

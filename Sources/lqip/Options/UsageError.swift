/// An error in a command line.
package enum UsageError: Error, Hashable, Sendable {
  case missingCommand
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, suggestion: String?)
  case missingValue(option: String, placeholder: String)
  case unexpectedValue(option: String)
  case invalidValue(String, option: String, allowed: String)
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
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(name)'\(Self.question(suggestion))"
    case .unknownOption(let name, let suggestion):
      "unknown option '\(name)'\(Self.question(suggestion))"
    case .missingValue(let option, let placeholder):
      "option '\(option)' needs a value: \(option) \(placeholder)"
    case .unexpectedValue(let option):
      "option '\(option)' takes no value"
    case .invalidValue(let value, let option, let allowed):
      "invalid value '\(value)' for '\(option)': expected \(allowed)"
    case .missingOperand(let name):
      "\(name) is missing"
    case .emptyOperand(let name):
      "\(name) is empty"
    case .unexpectedOperand(let text):
      "unexpected argument '\(text)'"
    case .conflict(let reason):
      reason
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }
}

import LqipOptions
import LqipRecords

/// Parses the arguments of one command according to its option table and GNU conventions.
struct CommandParser<Parsed: Command> {
  enum Request {
    case run(Parsed)
    case help
    case version
  }

  private var command = Parsed()
  private var rest: ArraySlice<CommandArgument>

  /// Parses the arguments after the command's name, up to the end or a request for help or the version.
  static func parse(
    _ arguments: ArraySlice<CommandArgument>, environment: (String) -> String? = { _ in nil }
  ) throws(UsageError) -> Request {
    var parser = CommandParser(rest: arguments)
    var failure: UsageError?
    if Parsed.text.readsEnvironment {
      do { try parser.readEnvironment(environment) } catch { failure = error }
    }
    let request: Request
    do { request = try parser.parse() } catch { throw failure ?? error }
    // Help must be available to users who have set a variable to an invalid value.
    if case .run = request, let failure { throw failure }
    return request
  }

  private mutating func readEnvironment(_ environment: (String) -> String?) throws(UsageError) {
    for option in Parsed.options {
      let name = option.text.variable
      guard let text = environment(name), !text.isEmpty else { continue }
      guard !option.apply(&command, CommandArgument(text)) else { continue }
      let allowed = option.text.value == nil ? "'true', '1', 'false' or '0'" : nil
      throw option.text.invalidValue(text, for: name, allowed: allowed)
    }
  }

  private mutating func parse() throws(UsageError) -> Request {
    while let argument = rest.popFirst() {
      let text = argument.text
      if text == "--" {
        while let operand = rest.popFirst() { try command.take(operand) }
      } else if text.hasPrefix("--") {
        if let request = try parseLong(argument) { return request }
      } else if text.hasPrefix("-"), text != "-", !isNegativeNumber(argument) {
        if let request = try parseShort(argument) { return request }
      } else {
        try command.take(argument)
      }
    }
    try command.validate()
    return .run(command)
  }

  private func isNegativeNumber(_ argument: CommandArgument) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return Parsed.text.takesNegativeNumbers
      && argument.bytes.dropFirst().allSatisfy(digits.contains)
  }

  /// Parses `--name`, `--name=value` or `--name value`.
  private mutating func parseLong(_ argument: CommandArgument) throws(UsageError) -> Request? {
    let parts = argument.bytes.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self)
    let option = Parsed.options.first { $0.name == name }
    let request = Self.request(name)
    guard option != nil || request != nil else { throw unknownOption(name) }
    guard parts.count == 1 || option?.text.value != nil else {
      throw .conflict("option '\(name)' takes no value")
    }
    if let option { try apply(option, as: name, parts.dropFirst().first) }
    return request
  }

  /// Parses `-a`, `-abc` (three flags), `-oVALUE` or `-o VALUE`.
  private mutating func parseShort(_ argument: CommandArgument) throws(UsageError) -> Request? {
    var letters = argument.bytes.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(String(decoding: [letter], as: UTF8.self))"
      if let request = Self.request(name) { return request }
      guard let option = Parsed.options.first(where: { $0.text.short?.asciiValue == letter }) else {
        throw unknownOption(argument.text)
      }
      let takesRest = option.text.value != nil && !letters.isEmpty
      try apply(option, as: name, takesRest ? letters : nil)
      if takesRest { break }
    }
    return nil
  }

  /// Returns the request of an option that every command has.
  private static func request(_ name: String) -> Request? {
    switch name {
    case "--help", "-h": .help
    case "--version", "-V": .version
    default: nil
    }
  }

  private func unknownOption(_ name: String) -> UsageError {
    let names = (Parsed.options.map(\.text) + OptionText.common).map(\.name)
    return .unknownOption(name, among: names)
  }

  /// Applies an option from the command line; `attached` is the value in the same argument, if any.
  private mutating func apply(
    _ option: CommandOption<Parsed>, as name: String, _ attached: ArraySlice<UInt8>?
  ) throws(UsageError) {
    var value = CommandArgument(attached.map(Array.init) ?? [])
    if let placeholder = option.text.value, attached == nil {
      guard let next = rest.popFirst() else {
        throw .conflict("option '\(name)' needs a value: \(name) \(placeholder)")
      }
      value = next
    }
    guard option.apply(&command, value) else {
      throw option.text.invalidValue(value.text, for: name)
    }
  }
}

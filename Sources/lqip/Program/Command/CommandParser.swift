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

  /// The options of the command; computed on demand, because many command lines have no options.
  private var table: [CommandOption<Parsed>] { Parsed.table }

  private mutating func readEnvironment(_ environment: (String) -> String?) throws(UsageError) {
    for option in table {
      let name = option.text.variable
      guard let text = environment(name), !text.isEmpty else { continue }
      switch (option.effect, text) {
      case (.take, _), (.set, "1"), (.set, "true"):
        _ = try apply(option, as: name, CommandArgument(text))
      case (.set, "0"), (.set, "false"), (.help, _), (.version, _): break
      case (.set, _):
        throw .invalidValue(text, option: name, allowed: "'true', '1', 'false' or '0'")
      }
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
    guard let option = table.first(where: { $0.name == name }) else { throw unknownOption(name) }
    let value = parts.count > 1 ? CommandArgument(Array(parts[1])) : nil
    if case .take = option.effect {} else if value != nil { throw .unexpectedValue(option: name) }
    return try apply(option, as: name, value)
  }

  /// Parses `-a`, `-abc` (three flags), `-oVALUE` or `-o VALUE`.
  private mutating func parseShort(_ argument: CommandArgument) throws(UsageError) -> Request? {
    var letters = argument.bytes.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(String(decoding: [letter], as: UTF8.self))"
      guard let option = table.first(where: { $0.text.short?.asciiValue == letter }) else {
        throw unknownOption(argument.text)
      }
      var value: CommandArgument?
      if case .take = option.effect, !letters.isEmpty {
        value = CommandArgument(Array(letters))
        letters = []
      }
      if let request = try apply(option, as: name, value) { return request }
    }
    return nil
  }

  private func unknownOption(_ name: String) -> UsageError {
    .unknownOption(name, Suggestion(for: name, among: table.map(\.name)))
  }

  private mutating func apply(
    _ option: CommandOption<Parsed>, as name: String, _ value: CommandArgument?
  ) throws(UsageError) -> Request? {
    switch option.effect {
    case .set(let change):
      change(&command)
    case .take(let allowed, let change):
      guard let value = value ?? rest.popFirst() else {
        throw .missingValue(option: name, placeholder: option.text.value ?? "")
      }
      guard change(&command, value) else {
        throw .invalidValue(
          value.text, option: name, allowed: allowed, option.text.suggestion(for: value.text))
      }
    case .help: return .help
    case .version: return .version
    }
    return nil
  }
}

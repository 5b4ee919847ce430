import LqipRecords

/// A parser of request queries, driven by option tables like those of commands.
enum QueryParameters {
  /// Applies the parameters of a query to settings; each is named like its option, without dashes.
  ///
  /// `exact`, `exact=true` and `exact=1` set a flag; `exact=false` and `exact=0` have no effect.
  static func read<Settings>(
    _ query: [HeaderField], into settings: inout Settings,
    by table: [CommandOption<Settings>]
  ) throws(Problem) {
    var seen: Set<String> = []
    for (name, value) in query {
      guard let option = table.first(where: { $0.name == "--\(name)" }) else {
        let names = table.map { "\($0.name.dropFirst(2))" }.joined(separator: ", ")
        throw .badParameter("unknown parameter '\(name)'; supported: \(names)")
      }
      guard seen.insert(name).inserted else { throw .badParameter("duplicate parameter '\(name)'") }
      if let expected = expectation(of: option, settings: &settings, value) {
        throw .badParameter("invalid value '\(value)' for '\(name)': expected \(expected)")
      }
    }
  }

  /// Applies an option; returns the expected values if the value is invalid.
  private static func expectation<Settings>(
    of option: CommandOption<Settings>, settings: inout Settings, _ value: String
  ) -> String? {
    switch option.effect {
    case .set(let change):
      switch value {
      case "", "true", "1": change(&settings)
      case "false", "0": break
      default: return "true, 1, false, 0 or no value"
      }
      return nil
    case .take(let allowed, let change):
      if change(&settings, CommandArgument(value)) { return nil }
      return allowed + (option.text.suggestion(for: value)?.text ?? "")
    case .help, .version:
      preconditionFailure("an option table contains only settings")
    }
  }
}

import LqipRecords

/// A parser of request queries, driven by option tables like those of commands.
enum QueryParameters {
  /// Applies the parameters of a query to settings.
  ///
  /// A parameter has the name of its option, without the leading dashes.
  ///
  /// - Parameters:
  ///   - query: The parameters. `exact`, `exact=true` and `exact=1` set a flag; `exact=false` and
  ///     `exact=0` have no effect.
  ///   - settings: The settings to change.
  ///   - table: The options for the supported parameters.
  /// - Throws: A ``Problem`` if a parameter is unknown or duplicate, or has an invalid value.
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
      guard seen.insert(name).inserted else {
        throw .badParameter("duplicate parameter '\(name)'")
      }
      try apply(option, to: &settings, name: name, value: value)
    }
  }

  private static func apply<Settings>(
    _ option: CommandOption<Settings>, to settings: inout Settings, name: String, value: String
  ) throws(Problem) {
    let expected: String
    var suggestion: Suggestion?
    switch option.effect {
    case .set(let change):
      switch value {
      case "", "true", "1": return change(&settings)
      case "false", "0": return
      default: expected = "true, 1, false, 0 or no value"
      }
    case .take(let allowed, let change):
      guard !change(&settings, CommandArgument(value)) else { return }
      (expected, suggestion) = (allowed, option.text.suggestion(for: value))
    case .help, .version:
      preconditionFailure("an option table contains only settings")
    }
    throw .badParameter(
      "invalid value '\(value)' for '\(name)': expected \(expected)\(suggestion?.text ?? "")")
  }
}

extension Problem {
  /// Returns the problem for an invalid query.
  static func badParameter(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_parameter", detail: detail)
  }
}

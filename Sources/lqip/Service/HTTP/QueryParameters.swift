import LqipRecords

/// Parses the query of a request with the option table of a command.
enum QueryParameters {
  /// Changes settings by the parameters, which are named as the options are, without their dashes.
  ///
  /// - Parameters:
  ///   - query: The parameters; a flag may be given as `exact`, `exact=true` or `exact=1`, or be
  ///     left out by `exact=false` or `exact=0`.
  ///   - settings: What holds for parameters that are not there.
  ///   - table: The parameters that there are.
  /// - Throws: ``Problem`` for one that is unknown, repeated or has a value that is not allowed.
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
    var advice: Advice?
    switch option.effect {
    case .set(let change):
      switch value {
      case "", "true", "1": return change(&settings)
      case "false", "0": return
      default: expected = "true, 1, false, 0 or no value"
      }
    case .take(_, let allowed, let change):
      guard !change(&settings, CommandArgument(value)) else { return }
      (expected, advice) = (allowed, option.advice(value))
    case .help, .version:
      preconditionFailure("a table of settings has nothing but settings")
    }
    throw .badParameter(
      "invalid value '\(value)' for '\(name)': expected \(expected)\(advice?.text ?? "")")
  }
}

extension Problem {
  /// A query that makes no sense.
  static func badParameter(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_parameter", detail: detail)
  }
}

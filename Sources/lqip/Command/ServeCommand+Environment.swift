internal import LqipOptions

extension ServeCommand {
  /// What there is to say of variables that look like settings and are none.
  ///
  /// A warning and no error: others put such variables into the environment too.
  ///
  /// - Parameter names: The names of variables.
  /// - Returns: A line for each, in the order of the names.
  static func warnings(of names: [String]) -> [String] {
    let settings = table.map(\.variable)
    return names.sorted().filter { name in
      name.hasPrefix("LQIP_") && !settings.contains(name) && name != optionsVariable
        && !isOfService(name)
    }.map { name in
      let guess = Suggestion.nearest(to: name, among: settings)
      return "unknown environment variable \(name)" + (guess.map { " (did you mean \($0)?)" } ?? "")
    }
  }

  /// Holds the options in our systemd unit, which expands it.
  private static let optionsVariable = "LQIP_OPTIONS"

  /// Whether Kubernetes sets the variable for a service whose name begins with `lqip`, such as
  /// `LQIP_SERVICE_HOST`, `LQIP_PORT` and `LQIP_PORT_8080_TCP_ADDR`.
  private static func isOfService(_ name: String) -> Bool {
    name.contains("_SERVICE_") || name.contains("_PORT_") || name.hasSuffix("_PORT")
  }
}

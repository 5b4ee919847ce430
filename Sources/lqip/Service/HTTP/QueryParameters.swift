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
      guard option.apply(&settings, CommandArgument(value)) else {
        throw .badParameter("\(option.text.invalidValue(value, for: name))")
      }
    }
  }
}

import Testing

@testable import LqipRecords

extension CommandOption {
  /// Applies the option with a valid value.
  func apply(to settings: inout Settings, value: String?) throws {
    switch effect {
    case .set(let change): change(&settings)
    case .take(let allowed, let change):
      let value = try #require(value, "\(name) needs a value here: \(allowed)")
      #expect(change(&settings, CommandArgument(value)))
    case .help, .version: Issue.record("\(name) changes no settings")
    }
  }
}

/// The version of the program, and the URL of its documentation.
package enum ProgramVersion {
  package static let current = "0.1.0"
  /// The URL of the documentation.
  package static let documentation = "https://git.example.org/placeholders"
}

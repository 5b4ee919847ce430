/// The version of the program, and its home.
package enum ProgramVersion {
  package static let current = "0.1.0"
  /// The project's documentation.
  package static let documentation = "https://git.example.org/placeholders"
}

/// The environment variables of this process.
package enum Environment {
  /// Returns the value of a variable, or `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    // The program never changes its environment, so any thread can read it safely.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

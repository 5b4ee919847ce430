// The program never changes its environment, so any thread can read it safely.
#if canImport(Glibc)
@unsafe @preconcurrency internal import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency internal import Musl
#elseif canImport(Android)
@unsafe @preconcurrency internal import Android
#else
import Darwin
#endif

/// The environment variables of this process.
package enum Environment {
  /// Returns the value of a variable, or `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

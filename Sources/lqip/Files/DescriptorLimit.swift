/// How many files this process may have open.
package enum DescriptorLimit {
  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif
  /// What some systems take at most, whatever they say.
  private static let maximum: rlim_t = 10_240

  /// The limit that holds now.
  package static var current: Int {
    Int(clamping: limits.rlim_cur)
  }

  /// Raises the limit as far as the process may, and anybody needs.
  package static func raise() {
    var limits = limits
    limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, maximum))
    unsafe setrlimit(resource, &limits)
  }

  private static var limits: rlimit {
    var limits = rlimit()
    unsafe getrlimit(resource, &limits)
    return limits
  }
}

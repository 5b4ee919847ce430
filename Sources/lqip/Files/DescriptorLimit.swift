/// How many files this process may have open.
package enum DescriptorLimit {
  /// What some systems take at most, whatever they say.
  private static let maximum: rlim_t = 10_240

  /// Raises the soft limit to the hard limit, at most `maximum`.
  package static func raise() {
    var limits = ResourceLimit.openFiles.values
    limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, maximum))
    ResourceLimit.openFiles.values = limits
  }
}

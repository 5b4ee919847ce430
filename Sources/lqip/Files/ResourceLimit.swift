/// The limits that the system sets to what a process may take.
struct ResourceLimit {
  #if canImport(Glibc)
  static let openFiles = ResourceLimit(number: __rlimit_resource_t(RLIMIT_NOFILE.rawValue))
  static let addresses = ResourceLimit(number: __rlimit_resource_t(RLIMIT_AS.rawValue))

  private let number: __rlimit_resource_t
  #else
  static let openFiles = ResourceLimit(number: RLIMIT_NOFILE)
  static let addresses = ResourceLimit(number: RLIMIT_AS)

  private let number: Int32
  #endif

  /// What holds now, and what it can be raised to.
  var values: rlimit {
    get {
      var values = rlimit()
      unsafe getrlimit(number, &values)
      return values
    }
    nonmutating set {
      var values = newValue
      unsafe setrlimit(number, &values)
    }
  }

  /// The limit that holds for this process; nil if there is none.
  var current: Int? { Int(exactly: values.rlim_cur) }
}

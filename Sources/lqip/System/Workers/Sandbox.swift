import CLqipProcess

/// The walls around a process that decodes.
package struct Sandbox: Hashable, Sendable {
  /// When a worker may decode.
  package enum Mode: String, CaseIterable, Sendable {
    /// With every wall that the system has.
    case auto
    /// Only if the kernel filters system calls.
    case require
    /// In a process of its own, with limits on its resources and no other wall.
    case off
  }

  /// The wall that counts: the kernel kills the process on any call but those that decoding needs.
  package let filtersCalls: Bool
  /// The second wall: files, ports and other processes are out of reach.
  package let hasLandlock: Bool
  /// Why calls are not filtered, if that was asked for.
  package let refusal: SystemError?

  /// Enters every wall that the system has; a process never leaves them.
  static func enter() -> Sandbox {
    var error: Int32 = 0
    let layers = unsafe lqip_enter_sandbox(&error)
    return Sandbox(
      filtersCalls: layers & Int32(LQIP_SANDBOX_SECCOMP) != 0,
      hasLandlock: layers & Int32(LQIP_SANDBOX_LANDLOCK) != 0,
      refusal: error == 0 ? nil : SystemError(number: error))
  }

  /// No wall but the process.
  static let none = Sandbox(filtersCalls: false, hasLandlock: false, refusal: nil)

  package init(filtersCalls: Bool, hasLandlock: Bool, refusal: SystemError?) {
    self.filtersCalls = filtersCalls
    self.hasLandlock = hasLandlock
    self.refusal = refusal
  }
}

extension Sandbox: CustomStringConvertible {
  /// The walls by name, such as "process, seccomp, landlock".
  package var description: String {
    let walls = ["process"] + (filtersCalls ? ["seccomp"] : []) + (hasLandlock ? ["landlock"] : [])
    return walls.joined(separator: ", ") + (refusal.map { " (seccomp: \($0))" } ?? "")
  }
}

import CLqipProcess

/// The active protections of a worker process.
package struct Sandbox: Hashable, Sendable {
  /// The requested protections of worker processes.
  package enum Mode: String, CaseIterable, Sendable {
    /// All protections that the system supports.
    case auto
    /// All protections that the system supports; decoding fails if seccomp is unavailable.
    case require
    /// No sandbox: only a separate process with resource limits.
    case off
  }

  /// Whether seccomp is active: the kernel kills the process on any system call that decoding does not need.
  package let filtersCalls: Bool
  /// Whether Landlock is active: it denies access to files, and on newer kernels also to ports and other processes.
  package let hasLandlock: Bool
  /// The error that prevented seccomp; `nil` if seccomp is active or was not requested.
  package let refusal: SystemError?

  /// Enters the sandbox, irrevocably, with all protections that the system supports.
  static func enter() -> Sandbox { Sandbox(lqip_enter_sandbox()) }

  /// The protections that workers have on this system.
  package static var available: Sandbox { Sandbox(lqip_probe_sandbox()) }

  static let none = Sandbox(filtersCalls: false, hasLandlock: false, refusal: nil)

  /// Throws `WorkerError.unfiltered` if a protection that the mode requires is not active.
  func check(_ mode: Mode) throws(WorkerError) {
    guard mode == .require, !filtersCalls else { return }
    throw .unfiltered(refusal ?? SystemError(number: ENOSYS))
  }
}

extension Sandbox {
  private init(_ sandbox: lqip_sandbox) {
    self.init(
      filtersCalls: sandbox.has_seccomp, hasLandlock: sandbox.has_landlock,
      refusal: sandbox.error == 0 ? nil : SystemError(number: sandbox.error))
  }
}

extension Sandbox: CustomStringConvertible {
  /// The active protections, such as "process, seccomp, landlock", and the error if seccomp was refused.
  package var description: String {
    let names = ["process"] + (filtersCalls ? ["seccomp"] : []) + (hasLandlock ? ["landlock"] : [])
    return names.joined(separator: ", ") + (refusal.map { " (seccomp: \($0))" } ?? "")
  }
}

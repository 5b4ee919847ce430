#if os(Linux)
import CLqipProcess

/// A worker for one image, created by vfork(2): it shares the memory of this process.
///
/// It needs no zygote, no message and no copies of memory pages, so it starts much faster than other workers. A crash or
/// an exceeded limit ends only the worker. A compromised worker, however, can change the memory of this process.
/// Therefore, this process enters a sandbox too, in which it can only decode and write to open descriptors.
package enum VforkedWorker {
  /// Enters the sandbox, calls `body` in a worker and waits for its end.
  ///
  /// - Parameters:
  ///   - settings: The settings; `handle` is not used.
  ///   - deadlines: The time limits.
  ///   - body: Decodes the image, and stores the result in memory of this process.
  /// - Precondition: The process is single-threaded.
  /// - Returns: The protections of the worker.
  /// - Throws: A `WorkerFailure` if the worker could not be started or did not return from `body`.
  package static func run(
    _ settings: WorkerSettings, within deadlines: WorkerDeadlines, _ body: @escaping () -> Void
  ) throws(WorkerFailure) -> Sandbox {
    settings.prepare()
    WorkerProcess.resetCrashHandlers()
    let sandbox = settings.sandbox == .off ? Sandbox.none : Sandbox.enter(.LQIP_ROLE_PARENT)
    do throws(WorkerError) {
      try sandbox.check(settings.sandbox)
    } catch {
      throw .unavailable(error)
    }
    let limits = lqip_child_limits(
      memory: UInt64(settings.memoryLimit), descriptors: UInt64(WorkerProcess.descriptorLimit),
      work: microseconds(deadlines.work), stall: microseconds(deadlines.stall),
      wall: microseconds(deadlines.wall), has_sandbox: settings.sandbox != .off,
      requires_seccomp: settings.sandbox == .require)
    var isShared = false
    let status = runInChild(limits) {
      isShared = true
      body()
    }
    switch status {
    case 0:
      // QEMU and valgrind replace vfork by fork. The child has then decoded the image in a copy of the memory.
      if !isShared { body() }
      return sandbox
    case -1: throw .unavailable(.system(.last))
    case SIGPROF, SIGALRM: throw .timedOut
    case SIGUSR1: throw .stalled
    default: throw WorkerFailure(exitStatus: status)
    }
  }

  private static func runInChild(
    _ limits: lqip_child_limits, _ body: @escaping () -> Void
  ) -> Int32 {
    struct Body {
      let call: () -> Void
    }
    var body = Body(call: body)
    return unsafe withUnsafeMutablePointer(to: &body) { body in
      unsafe lqip_run_in_child(
        { unsafe $0?.assumingMemoryBound(to: Body.self).pointee.call() }, body, limits)
    }
  }

  /// Returns the duration in microseconds, at least 1, because 0 means no limit.
  private static func microseconds(_ duration: Duration) -> UInt64 {
    UInt64(max(1, duration / .microseconds(1)))
  }
}
#endif

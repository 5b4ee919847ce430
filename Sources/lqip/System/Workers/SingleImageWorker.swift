import CLqipProcess

/// A worker process for one image, forked by this process.
///
/// It starts faster than the workers of a ``WorkerSupply``, because it needs no zygote and no shared memory: `lqip encode`
/// of one photo takes 7 to 8 ms instead of 12 to 16.
package enum SingleImageWorker {
  /// Forks a worker for an encoded request and waits for the encoded reply, which is untrusted.
  ///
  /// The process must be single-threaded. The worker inherits the image.
  package static func reply(
    to request: [UInt8], _ input: WorkerInput, _ settings: WorkerSettings,
    within deadlines: WorkerDeadlines
  ) throws(WorkerFailure) -> [UInt8] {
    // If SIGCHLD is ignored, the system discards the exit status.
    signal(SIGCHLD, SIG_DFL)
    let channel: WorkerChannel
    let process: pid_t
    do throws(SystemError) {
      let (near, far) = try WorkerChannel.pair()
      let parent = getpid()
      process = try SystemError.check { lqip_fork() }
      if process == 0 {
        WorkerProcess.run(far.descriptor, request, input, parent: parent, settings)
      }
      channel = near
    } catch {
      throw .unavailable(.system(error))
    }
    var watch = WorkerWatch(at: .now, processorTime: 0)
    var failure: WorkerFailure?
    func receive() -> [UInt8]? {
      failure = channel.waitForMessage {
        watch.exceededLimit(deadlines, processorTime: lqip_cpu_time(process), at: .now)
      }
      let message = failure == nil ? try? channel.receive() : nil
      for descriptor in message?.descriptors ?? [] { close(descriptor) }
      return message?.bytes
    }
    var sandbox = Sandbox.none
    // With a required filter, the worker reports its protections before it reads the image.
    if settings.sandbox == .require, let event = receive().flatMap({ try? WorkerEvent.parse($0) }),
      case .ready(_, let protections) = event
    {
      sandbox = protections
    }
    let reply = failure == nil ? receive() : nil
    // This does not change the status of a process that has ended, but another one may only have closed its channel.
    kill(process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    if let failure { throw failure }
    if let reply, !reply.isEmpty { return reply }
    do {
      try sandbox.check(settings.sandbox)
    } catch {
      throw .unavailable(error)
    }
    throw WorkerFailure(exitStatus: status)
  }
}

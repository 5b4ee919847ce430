package import LqipSystem
import LqipRecords

extension WorkerSupply {
  /// A supply that works in the test process, which has threads and therefore cannot fork workers.
  package static var here: WorkerSupply {
    WorkerSupply(inThisProcess: ImageTask.workers(.off, LimitOptions(), inputCapacity: 64 << 20))
  }
}

package import LqipSystem
import LqipRecords

extension WorkerSupply {
  /// Workers in the test process, which has threads and therefore cannot fork.
  package static var here: WorkerSupply {
    WorkerSupply(
      inThisProcess: ImageTask.workers(.off, LimitOptions(), inputCapacity: 64 << 20))
  }
}

package import LqipSystem
import LqipRecords

extension WorkerSupply {
  /// Decodes in the process of the test, which has threads and cannot fork workers.
  package static var here: WorkerSupply {
    WorkerSupply(
      inThisProcess: ImageTask.workers(.off, LimitOptions(), inputCapacity: 64 << 20))
  }
}

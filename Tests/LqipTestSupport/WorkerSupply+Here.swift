import LqipOptions
import LqipRecords
package import LqipSystem

extension WorkerSupply {
  /// A supply that works in the test process, which has threads and therefore cannot fork workers.
  package static var here: WorkerSupply {
    WorkerSupply(inThisProcess: LimitOptions().workers(.off, inputCapacity: 64 << 20))
  }
}

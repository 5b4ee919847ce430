extension BatchEncoder {
  /// How images are worked on at a time.
  package struct Concurrency: Sendable {
    /// How many are decoded.
    package var jobs: Int
    /// How many are read.
    package var reads: Int
    /// How long the system may take for one call.
    package var stallTimeout: Duration

    package init(jobs: Int, reads: Int = 16, stallTimeout: Duration = .seconds(11)) {
      self.jobs = jobs
      self.reads = reads
      self.stallTimeout = stallTimeout
    }
  }
}

package import LqipFiles

extension BatchEncoder {
  /// How images are worked on at a time.
  package struct Concurrency: Hashable, Sendable {
    /// How many are decoded.
    package var jobs: Int
    /// How many are read.
    package var reads: Int
    /// How long the system may take for one call, of the time in which the process runs.
    package var stallTimeout: Duration
    /// The bytes of all images that were read and not yet decoded.
    package var readAhead = 64 << 20

    /// The descriptors and threads that a batch needs besides those for each read: for directories,
    /// outputs and signals.
    private static let otherDescriptorCount = 8
    private static let otherThreadCount = 4
    /// What a thread takes of the address space, a stack and small things.
    private static let threadByteCount = 9 << 20
    /// What decoding an image of a usual size may take of it.
    private static let imageByteCount = 32 << 20

    package init(jobs: Int, reads: Int = 16, stallTimeout: Duration = .seconds(11)) {
      self.jobs = jobs
      self.reads = reads
      self.stallTimeout = stallTimeout
    }

    /// What there is of all that this takes.
    package var spareResources: SpareResources {
      SpareResources(upToDescriptors: Self.otherDescriptorCount + reads)
    }

    /// Makes do with what there is.
    ///
    /// - Parameter spare: What the system will still give.
    /// - Throws: That it is too little for a single image.
    package mutating func fit(_ spare: SpareResources) throws(CommandError) {
      let least = Self.otherThreadCount * Self.threadByteCount + 2 * Self.imageByteCount
      if let shortage = spare.shortage(ofDescriptors: Self.otherDescriptorCount + 1)
        ?? spare.shortage(ofAddresses: least)
      {
        throw .output(shortage)
      }
      reads = min(reads, spare.descriptorCount - Self.otherDescriptorCount)
      guard let bytes = spare.addressByteCount else { return }
      let count = (bytes - least) / (Self.threadByteCount + Self.imageByteCount) + 1
      jobs = min(jobs, count)
      reads = min(reads, count)
      readAhead = min(readAhead, (bytes - least) / 4 + Self.imageByteCount / 2)
    }
  }
}

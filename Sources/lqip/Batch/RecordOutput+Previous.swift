internal import LqipFiles
internal import LqipRecords

extension RecordOutput {
  /// Opens what earlier runs left, if it is to be used.
  static func previous(
    _ update: UpdateOptions, _ destination: FilePath?, _ journal: Int32?, _ layout: RecordLayout,
    _ stamps: RecordStamp.Style?, inOrder isOrdered: Bool
  ) throws(CommandError) -> PreviousRecords? {
    guard update.isOn, let destination, let stamps else { return nil }
    do {
      let output = try FileDescriptor.ifThere(destination)
      return try PreviousRecords(
        output: output, journal: journal, layout, stamps, inOrder: isOrdered,
        named: "\(destination)")
    } catch {
      throw .output("\(destination): cannot read: \(error)")
    }
  }
}

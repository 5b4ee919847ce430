internal import LqipFiles
internal import LqipRecords

extension RecordOutput {
  /// Puts what is no record of the earlier output beside it, where nothing will overwrite it.
  func setAside() throws(CommandError) {
    guard let previous, let file = destination.file else { return }
    let rejected = try previous.rejected()
    guard !rejected.isEmpty else { return }
    for rejection in rejected.prefix(10) {
      StandardError.print(
        "\(file), line \(rejection.line): not a valid record, moved to \(file).rejected")
    }
    if rejected.count > 10 {
      StandardError.print("\(file): moved \(rejected.count - 10) more lines to \(file).rejected")
    }
    let before = try? FileStatus(of: file, followsLinks: true)
    let rest: FileDescriptor
    do {
      rest = try OutputFile.create(
        file + ".rejected".utf8, like: before, O_WRONLY | O_CREAT | O_APPEND)
    } catch {
      throw .writing("\(file).rejected", error)
    }
    for rejection in rejected {
      let text = try previous.text(of: rejection)
      let end = text.last == UInt8(ascii: "\n") ? [] : Array("\n".utf8)
      do {
        try FileDescriptor.writeAll(text + end, to: rest.number)
      } catch {
        throw .writing("\(file).rejected", error)
      }
    }
  }
}

/// Encodes what a walk finds, on several cores, and hands on the results in the walk's order.
///
/// The results are the same for any number of jobs. No more than the window's results are held,
/// however long one image takes.
struct BatchEncoder: Sendable {
  /// What the batch hands on.
  enum Event: Sendable {
    case record(PlaceholderRecord)
    /// A directory that was named and has no image.
    case noImages(FilePath)
  }

  private static let windowCapacity = 1024

  let encoder: FileEncoder
  let jobs: Int

  /// Runs the batch to its end, or to the first error of the walk or of the receiver.
  @MainActor
  func run(
    _ walker: ImageWalker, receive: (Event) throws(CommandError) -> Void
  ) async throws(CommandError) {
    let outcome = await withTaskGroup(of: (place: Int, record: PlaceholderRecord).self) {
      group -> Result<Void, CommandError> in
      var walker = walker
      var window = ReorderWindow<Event>(capacity: Self.windowCapacity)
      var running = 0
      var isAtEnd = false
      do throws(CommandError) {
        while !(isAtEnd && window.isEmpty) {
          // Waiting for the writer of a list must not hold back the results there are.
          while running < jobs, window.hasRoom, window.isEmpty || walker.isReady {
            guard let finding = try walker.next() else {
              isAtEnd = true
              break
            }
            let place = window.begin()
            switch finding {
            case .image(let path, let isNamed):
              running += 1
              group.addTask { [encoder] in
                (place, encoder.record(of: path, followsLinks: isNamed))
              }
            case .unreadable(let path, let error):
              let failure = PlaceholderRecord(path: path, outcome: .failed(RecordFailure(error)))
              window.finish(place, with: .record(failure))
            case .noImages(let path):
              window.finish(place, with: .noImages(path))
            }
          }
          while let event = window.next() { try receive(event) }
          guard let (place, record) = await group.next() else { continue }
          running -= 1
          window.finish(place, with: .record(record))
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }
}

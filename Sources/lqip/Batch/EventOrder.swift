internal import LqipFiles
internal import LqipRecords

/// Puts what comes of a batch into the order of its source, or hands it on as it comes.
///
/// What is told of directories has its place between the images in any case.
struct EventOrder {
  private enum Place {
    case event(BatchEncoder.Event?)
    /// A record that did not have to wait.
    case handedOn
    /// A name in an archive for what another one has stood for before.
    case link(FilePath, to: FilePath)
  }

  private let isUnordered: Bool
  private let render: @Sendable (PlaceholderRecord) -> [UInt8]
  private var window: ReorderWindow<Place>
  /// Records that do not have to wait for those before them.
  private var early: [BatchEncoder.Event] = []
  /// The directory that was named last, and whether it has an image.
  private var directory: (path: FilePath, isEmpty: Bool)?
  /// The records to which links may lead; nil until there is an archive.
  private var targets: RecentRecords?

  /// Starts without anything.
  ///
  /// - Parameters:
  ///   - capacity: How much is held, counted from the oldest that is not finished.
  ///   - isUnordered: Whether records are handed on as they come.
  ///   - render: Makes the bytes of a record.
  init(
    capacity: Int, isUnordered: Bool, _ render: @escaping @Sendable (PlaceholderRecord) -> [UInt8]
  ) {
    window = ReorderWindow(capacity: capacity)
    self.isUnordered = isUnordered
    self.render = render
  }

  /// Whether everything that was begun has been handed on.
  var isEmpty: Bool {
    window.isEmpty && early.isEmpty
  }

  /// Whether there is something to hand on.
  var isReady: Bool {
    window.isReady || !early.isEmpty
  }

  /// Whether more may begin before the oldest is finished.
  var hasRoom: Bool {
    window.hasRoom
  }

  /// Gives the next place in the order of the source.
  mutating func begin() -> Int {
    window.begin()
  }

  /// Takes what came of a place; nil for nothing.
  mutating func finish(_ place: Int, with event: BatchEncoder.Event?) {
    guard isUnordered, let event, event.isOfImages else {
      return window.finish(place, with: .event(event))
    }
    early.append(event)
    window.finish(place, with: .handedOn)
  }

  /// Takes a name for what another one has stood for before.
  mutating func finish(_ place: Int, withLink path: FilePath, to target: FilePath) {
    window.finish(place, with: .link(path, to: target))
  }

  /// Begins to remember records, to which links may lead.
  mutating func expectLinks() {
    if targets == nil { targets = RecentRecords() }
  }

  /// The next event to hand on, if it is there.
  mutating func next() -> BatchEncoder.Event? {
    if !early.isEmpty { return remembered(early.removeFirst()) }
    while let place = window.next() {
      if let event = event(at: place) { return event }
    }
    return nil
  }

  /// The events that are there, in their order, whatever is missing between them.
  mutating func rest() -> [BatchEncoder.Event] {
    defer { early = [] }
    return early + window.finished.compactMap { event(at: $0) }
  }

  private mutating func event(at place: Place) -> BatchEncoder.Event? {
    switch place {
    case .handedOn:
      directory?.isEmpty = false
      return nil
    case .link(let path, let target):
      let record = (targets ?? RecentRecords()).record(ofLink: path, to: target)
      return remembered(.record(record, rendered: render(record)))
    case .event(let event?): return told(event)
    case .event(nil): return nil
    }
  }

  /// The event, unless it is that a directory has no images while there were some.
  private mutating func told(_ event: BatchEncoder.Event) -> BatchEncoder.Event? {
    switch event {
    case .noImages(let path):
      defer { directory = nil }
      if let directory, directory.path == path, !directory.isEmpty { return nil }
    case .entered(let path): directory = (path, isEmpty: true)
    case .emptyList, .skipped, .unvisited: break
    default: directory?.isEmpty = false
    }
    return remembered(event)
  }

  private mutating func remembered(_ event: BatchEncoder.Event) -> BatchEncoder.Event {
    if case .record(let record, _) = event { targets?.add(record) }
    return event
  }
}

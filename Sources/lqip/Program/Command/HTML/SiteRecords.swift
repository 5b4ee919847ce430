import LqipOptions
import LqipPages
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// The images of a site, and the NDJSON file with their records.
struct SiteRecords {
  /// What a record says about an image.
  enum Image {
    case encoded(ImagePlacement)
    case failed(String)
    /// A format that lqip does not read, such as SVG.
    case foreign
  }

  /// The options of the batch, with the images as paths and the file as output.
  let encoding: EncodingOptions
  let kind: PlaceholderKind
  /// Whether placeholders are attributes instead of declarations.
  let usesAttributes: Bool
  /// Whether the file is left unchanged.
  let isReadOnly: Bool
  /// Whether the file may have records of images that are not on the pages, which it keeps.
  let isShared: Bool

  /// Encodes the images that are new or modified, and returns all images by path.
  func update(
    _ workers: WorkerSupply, until signals: SignalObserver
  ) throws(CommandError) -> [FilePath: Image] {
    var update = UpdateOptions()
    (update.isOn, update.prunes, update.dropLimit) = (true, !isShared, .percentage(100))
    let output = isReadOnly ? nil : try RecordOutput(encoding, update)
    let path = encoding.records.output.path
    let file =
      isReadOnly ? path.flatMap { try? FileDescriptor(opening: $0, O_RDONLY).release() } : nil
    defer { if let file { close(file) } }
    let settings = encoding.stampedSettings
    let previous =
      output?.previous
      ?? PreviousOutput(
        descriptor: file, name: "\(path ?? FilePath([]))", settings: Array(settings.utf8),
        options: update, shard: nil)
    var encoder = encoding.fileEncoder
    encoder.stampedSettings = settings
    let layout = encoding.records.layout
    var images: [FilePath: Image] = [:]
    var summary = try EncodingPlan(encoding).run(
      encoder, workers: workers, render: { layout.entry(for: $0) }, updating: previous,
      until: signals, writesToTerminal: false
    ) { event throws(CommandError) in
      switch event.output {
      case .nothing: break
      case .entry(let record): add(record, to: &images)
      case .previous(let bounds):
        let records = try CommandError.catching({ .input("\(previous.name): cannot read: \($0)") })
        {
          try FileDescriptor.read(
            previous.descriptor ?? -1, at: bounds.lowerBound, upTo: bounds.count)
        }
        for record in records.split(separator: UInt8(ascii: "\n")) {
          add(Array(record), to: &images)
        }
      }
      try output?.write(event)
    }
    try output?.finish(&summary)
    return images
  }

  private func add(_ record: [UInt8], to images: inout [FilePath: Image]) {
    guard let record = try? JSON(parsing: record), let path = FilePath(ofRecord: record) else {
      return
    }
    if let error = record["error"] {
      let isForeign = error["code"]?.text == RecordFailure.Code.unsupportedFormat.rawValue
      images[path] = isForeign ? .foreign : .failed(error["message"]?.text ?? "unreadable")
    } else if let placement = placement(record) {
      images[path] = .encoded(placement)
    }
  }

  private func placement(_ record: JSON) -> ImagePlacement? {
    let sides = 1...Int(UInt32.max)
    guard case .integer(let width)? = record["width"], sides.contains(width),
      case .integer(let height)? = record["height"], sides.contains(height),
      case .boolean(let isOpaque)? = record["opaque"], let value = record[kind.rawValue]
    else { return nil }
    let text = if case .integer(let number) = value { "\(number)" } else { value.text ?? "" }
    guard !text.utf8.contains(where: { $0 <= 0x20 || "\"'<>&".utf8.contains($0) }) else {
      return nil
    }
    let name = kind == .css ? "lqip-css" : kind.rawValue
    var placement = ImagePlacement(width: width, height: height)
    if usesAttributes {
      placement.attribute = "data-\(name)=\"\(text)\""
    } else if isOpaque {
      // Behind a transparent image, it would stay visible.
      placement.declaration =
        kind == .preview ? "background:url(\(text)) 0 0/100% 100%" : "--\(name):\(text)"
    }
    return placement
  }
}

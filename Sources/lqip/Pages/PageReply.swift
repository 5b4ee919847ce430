package import LqipSystem

/// The reply of a worker that parses pages: the images that fit into a message.
struct PageReply: Hashable {
  /// The largest size in bytes of an image besides its source.
  private static let imageByteCount = 32

  var scan: PageScan
  /// Whether the images are the last of the page.
  var isLast: Bool

  /// Creates the reply with the images that follow the first `count`.
  init(_ scan: PageScan, after count: Int) {
    self.scan = scan
    self.scan.images = []
    var byteCount = scan.base?.count ?? 0
    for image in scan.images.dropFirst(count) {
      byteCount += image.source.count + Self.imageByteCount
      guard byteCount < WorkerSettings.replyLimit - Self.imageByteCount else { break }
      self.scan.images.append(image)
    }
    isLast = count + self.scan.images.count >= scan.images.count
  }

  var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.add(scan.base) { $0.add($1) }
    writer.add(scan.linkPosition) { $0.add(UInt32($1)) }
    writer.add(isLast)
    for image in scan.images { image.write(to: &writer) }
    return writer.bytes
  }

  /// Parses an untrusted reply about the images behind a position.
  init(parsing bytes: [UInt8], of page: [UInt8], after last: Int) throws(MalformedMessage) {
    let end = UInt32(page.count)
    var reader = MessageReader(bytes)
    scan = PageScan()
    scan.base = try reader.optional { reader throws(MalformedMessage) in
      try reader.countedBytes(upTo: PageScan.addressLimit)
    }
    scan.linkPosition = try reader.optional { reader throws(MalformedMessage) in
      Int(try reader.integer(in: 0...end))
    }
    isLast = try reader.flag()
    var last = last
    let tags = page[...]
    while !reader.isAtEnd {
      let image = try PageScan.Image(parsing: &reader, end: end)
      // The program then inserts attributes into images only.
      guard image.position > last, PageScan.isAfterTagName(image.position, in: tags.span),
        image.style.map({ $0.position == 0 || $0.position > image.position }) ?? true
      else { throw MalformedMessage() }
      last = image.position
      scan.images.append(image)
    }
    guard isLast || !scan.images.isEmpty else { throw MalformedMessage() }
  }
}

extension PageScan {
  /// Returns the settings of the worker that parses pages.
  package static func workers(_ sandbox: Sandbox.Mode) -> WorkerSettings {
    // The scan of the page whose images did not fit into the last reply.
    let unfinished = Monitor<PageScan?>(nil)
    // A tree takes about 30 times the memory of its page.
    return WorkerSettings(
      sandbox: sandbox, memoryLimit: 32 * pageLimit + WorkerSettings.baseMemory, workerLimit: 1,
      inputCapacity: pageLimit
    ) { _ in
      // The parser is loaded already.
    } handle: { request, input in
      var reader = MessageReader(request)
      guard let count = try? reader.integer(UInt32.self), case .memory(let page) = input,
        let scan = unsafe (count > 0 ? unfinished.withLock(\.self) : nil)
          ?? PageScan(parsing: page)
      else { preconditionFailure("malformed request from the parent process") }
      let reply = PageReply(scan, after: Int(count))
      unfinished.withLock { $0 = reply.isLast ? nil : scan }
      return reply.bytes
    }
  }

  /// Parses a page in a worker.
  package init(
    _ page: [UInt8], in worker: WorkerLease, within deadlines: WorkerDeadlines
  ) throws(WorkerFailure) {
    self.init()
    let bytes = page[...]
    while true {
      var request = MessageWriter()
      request.add(UInt32(images.count))
      let last = images.last?.position ?? 0
      let reply = try worker.reply(
        to: request.bytes, bytes.span, within: deadlines, client: nil
      ) { reply throws(MalformedMessage) in
        try PageReply(parsing: reply, of: page, after: last)
      }
      (base, linkPosition) = (reply.scan.base, reply.scan.linkPosition)
      images += reply.scan.images
      if reply.isLast { return }
    }
  }
}

extension PageScan.Image {
  fileprivate func write(to writer: inout MessageWriter) {
    writer.add(UInt32(position))
    for length in [width, height] { writer.add(length) { $0.add($1) } }
    writer.add(style) { writer, style in
      writer.add(UInt32(style.position))
      writer.add(style.isQuoted)
    }
    writer.add(hasPlaceholder)
    writer.add(hasMark)
    writer.add(isResponsive)
    writer.add(source)
  }

  fileprivate init(parsing reader: inout MessageReader, end: UInt32) throws(MalformedMessage) {
    position = Int(try reader.integer(in: 0...end))
    width = try reader.optional { reader throws(MalformedMessage) in try reader.integer() }
    height = try reader.optional { reader throws(MalformedMessage) in try reader.integer() }
    style = try reader.optional { reader throws(MalformedMessage) in
      Style(position: Int(try reader.integer(in: 0...end)), isQuoted: try reader.flag())
    }
    hasPlaceholder = try reader.flag()
    hasMark = try reader.flag()
    isResponsive = try reader.flag()
    source = try reader.countedBytes(upTo: PageScan.addressLimit)
  }
}

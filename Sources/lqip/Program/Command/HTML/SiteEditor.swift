import LqipOptions
import LqipPages
import LqipRecords
import LqipSystem

/// Inserts placeholders into the pages of a site: finds their images, encodes each image once, and edits the pages.
struct SiteEditor {
  private struct Page {
    let path: FilePath
    let status: FileStatus
    let scan: PageScan
    /// The files of the images, relative to the root; `nil` for images outside the site.
    let files: [FilePath?]
  }

  private struct Counts {
    var pages = 0
    var failedPages = 0
    var editedPages = 0
    var placed = 0
    var complete = 0
    var failed = 0
    var foreign = 0
    var outside = 0
    var links = 0
  }

  /// The limits for parsing a page.
  private static let deadlines = WorkerDeadlines(
    work: .milliseconds(800), stall: .seconds(5), wall: .seconds(10))

  /// The beginning of text in encodings whose characters may look like tags: anywhere, and at the start of a page.
  private static let shift: [UInt8] = [0x1B, UInt8(ascii: "$")]
  private static let wideMarks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]

  private let command: HTMLCommand
  private let site: FilePath
  private let signals: SignalObserver
  private var pages: [Page] = []
  private var images: [FilePath: SiteRecords.Image] = [:]
  private var heights = HeightRules()
  private var counts = Counts()
  /// The pages above the size limit, which are left unchanged.
  private(set) var largePages: [FilePath] = []

  init(_ command: HTMLCommand, of site: FilePath, until signals: SignalObserver) {
    (self.command, self.site, self.signals) = (command, site, signals)
  }

  /// Finds the images of the pages.
  mutating func read(_ files: SiteFiles, _ worker: WorkerLease) throws(CommandError) {
    guard !files.pages.isEmpty else { throw .input("\(site): no pages (.html or .htm) found") }
    counts.links = command.output == nil ? files.links.count : 0
    for path in files.stylesheets where !command.checks { addRules(of: path) }
    for path in files.pages where signals.received == nil {
      counts.pages += 1
      guard let (bytes, status) = contents(of: path) else { continue }
      var scan = PageScan()
      if bytes.contains(Self.shift[0]), bytes.firstRange(of: Self.shift) != nil {
        fail(path, "ISO-2022-JP is not supported")
      } else if Self.wideMarks.contains(where: bytes.starts) {
        fail(path, "UTF-16 is not supported")
      } else if PageScan.mayFindImages(in: bytes) {
        heights.add(stylesIn: bytes)
        do {
          scan = try PageScan(bytes, in: worker, within: Self.deadlines)
          scan.findAddedText(in: bytes)
        } catch {
          if case .unavailable(let error) = error { throw .output("\(error)") }
          fail(path, "\(error)")
        }
      }
      guard !scan.images.isEmpty || command.output != nil else { continue }
      let files = scan.images.map { image in
        command.address.file(image.source, on: path, base: scan.base)
      }
      pages.append(Page(path: path, status: status, scan: scan, files: files))
    }
  }

  private mutating func addRules(of path: FilePath) {
    let file = site.appending(path)
    do throws(SystemError) {
      let input = try FileDescriptor(opening: file, O_RDONLY | O_NOFOLLOW)
      let bytes = try FileDescriptor.read(input.number, at: 0, upTo: HeightRules.sheetLimit)
      heights.add(bytes[...])
    } catch {
      StandardError.print("\(file): cannot read: \(error)")
    }
  }

  private mutating func contents(of path: FilePath) -> (bytes: [UInt8], status: FileStatus)? {
    let limit = PageScan.pageLimit
    do throws(SystemError) {
      let file = try FileDescriptor(opening: site.appending(path), O_RDONLY | O_NOFOLLOW)
      let status = try FileStatus(of: file.number)
      if status.byteCount <= limit {
        return (try FileDescriptor.read(file.number, at: 0, upTo: status.byteCount + 1), status)
      }
      fail(path, ByteCount.text(status.byteCount, above: limit))
      largePages.append(path)
    } catch {
      fail(path, "cannot read: \(error)")
    }
    return nil
  }

  private mutating func fail(_ path: FilePath, _ reason: String) {
    StandardError.print("\(site.appending(path)): left unchanged: \(reason)")
    counts.failedPages += 1
  }

  /// Encodes the images; the output in the options is the file with their records.
  mutating func encode(
    _ encoding: EncodingOptions, _ workers: WorkerSupply
  ) throws(CommandError) {
    var encoding = encoding
    for file in pages.flatMap(\.files).compactMap(\.self) where images[file] == nil {
      let status = try? FileStatus(of: site.appending(file), followsLinks: true)
      let isFile = status?.kind == .regular
      images[file] = .failed(isFile ? "not encoded" : "no such file")
      if isFile { encoding.paths.append(site.appending(file)) }
    }
    guard !encoding.paths.isEmpty, signals.received == nil else { return }
    let records = SiteRecords(
      encoding: encoding, kind: command.kind, usesAttributes: command.usesAttributes,
      isReadOnly: command.checks, isShared: command.cache != nil)
    images.merge(try records.update(workers, until: signals)) { $1 }
  }

  /// Writes the pages, or reports what they lack.
  mutating func write() throws(CommandError) {
    if command.output != nil || !command.checks && hasOtherStylesheet { try writeStylesheet() }
    for page in pages where signals.received == nil {
      var messages: [(position: Int, text: String)] = []
      let placements = zip(page.scan.images, page.files).map { image, file -> ImagePlacement? in
        let (placement, message) = placement(of: image, file)
        if let message {
          let name = FilePath(image.source)
          messages.append((image.position, "\(name): \(message)"))
        }
        return placement
      }
      let edits = page.scan.edits(placements, link: link(on: page))
      try finish(page, edits, messages)
    }
  }

  /// Writes the stylesheet, before the first page that links it.
  func writeStylesheet() throws(CommandError) {
    let sheet = (command.output ?? site).appending(FilePath(PageScan.stylesheet))
    if let old = Self.contents(ofSheet: sheet), !PageScan.isOwn(stylesheet: old) {
      throw .output("\(sheet): not written by 'lqip html', which needs this name")
    }
    try OutputFile.rewrite(sheet) { output throws(CommandError) in
      try output.write(command.stylesheet(heights))
    }
  }

  /// Whether an earlier run has written another stylesheet.
  private var hasOtherStylesheet: Bool {
    let old = Self.contents(ofSheet: site.appending(FilePath(PageScan.stylesheet))) ?? []
    return PageScan.isOwn(stylesheet: old) && old != command.stylesheet(heights)
  }

  private static func contents(ofSheet path: FilePath) -> [UInt8]? {
    guard let file = try? FileDescriptor(opening: path, O_RDONLY) else { return nil }
    return try? FileDescriptor.read(file.number, at: 0, upTo: 2 * HeightRules.sheetLimit)
  }

  /// Returns what to add to an image, and a message about it.
  private mutating func placement(
    of image: PageScan.Image, _ file: FilePath?
  ) -> (ImagePlacement?, message: String?) {
    switch file.map({ images[$0] ?? .foreign }) {
    case nil: counts.outside += 1
    case .foreign?: counts.foreign += 1
    case .failed(let reason)?:
      counts.failed += 1
      return (nil, reason)
    case .encoded(let placement)?:
      guard let lack = image.lack(of: placement) else {
        counts.complete += 1
        break
      }
      counts.placed += 1
      return (placement, command.checks ? lack : nil)
    }
    return (nil, nil)
  }

  /// Prints the messages, and writes the page.
  private mutating func finish(
    _ page: Page, _ edits: [PageEdit], _ messages: [(position: Int, text: String)]
  ) throws(CommandError) {
    let isWritten = command.output != nil || !edits.isEmpty && !command.checks
    guard isWritten || !messages.isEmpty, let (bytes, status) = contents(of: page.path) else {
      return
    }
    var (line, counted) = (1, 0)
    for message in messages where message.position <= bytes.count {
      line += bytes[counted..<message.position].count { $0 == UInt8(ascii: "\n") }
      counted = message.position
      StandardError.print("\(site.appending(page.path)):\(line): \(message.text)")
    }
    guard isWritten else { return }
    guard
      (status.identity, status.byteCount, status.modified) == (
        page.status.identity, page.status.byteCount, page.status.modified
      )
    else { return fail(page.path, "modified meanwhile") }
    if !edits.isEmpty {
      if counts.editedPages == 0 { try writeStylesheet() }
      counts.editedPages += 1
    }
    try OutputFile.rewrite((command.output ?? site).appending(page.path)) {
      output throws(CommandError) in
      try output.write(PageEdit.apply(edits, to: bytes))
    }
  }

  /// The link to the stylesheet: relative to the page, unless the page or the site has a base.
  private func link(on page: Page) -> String {
    let depth = page.path.bytes.count { $0 == FilePath.separator }
    let isRelative = command.address == .root && page.scan.base == nil
    let folder = isRelative ? String(repeating: "../", count: depth) : command.address.path
    // In XHTML, the tag has to be closed.
    return "<link rel=\"stylesheet\" href=\"\(folder)\(PageScan.stylesheet)\"/>"
  }

  /// The first component of the first address whose file is missing, if it is no directory of the site.
  private var missingFolder: FilePath? {
    guard command.address == .root else { return nil }
    for page in pages {
      for (image, file) in zip(page.scan.images, page.files) {
        let names = image.source.split(separator: FilePath.separator)
        guard let file, case .failed? = images[file], names.count > 1,
          image.source.first == FilePath.separator
        else { continue }
        let folder = FilePath(Array(names[0]))
        let isThere = (try? FileStatus(of: site.appending(folder), followsLinks: true)) != nil
        return isThere ? nil : folder
      }
    }
    return nil
  }

  /// Prints the counts; returns the exit status.
  func report() -> ExitStatus {
    let parts = [
      (counts.placed, command.checks ? "incomplete" : "placed"), (counts.complete, "complete"),
      (counts.failed, "failed"), (counts.foreign, "in other formats"),
      (counts.outside, "outside the site"),
    ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
    if !command.encoding.isQuiet {
      StandardError.print(
        "\(counts.pages) \(counts.pages == 1 ? "page" : "pages"), \(counts.editedPages) changed, \(counts.failedPages) failed; images: "
          + (parts.isEmpty ? "none" : parts.joined(separator: ", "))
          + (counts.links > 0 ? "; symbolic links skipped: \(counts.links)" : ""))
      if counts.placed > 0, command.usesAttributes, !command.checks {
        StandardError.print("the pages need placeholders.js of @lqip/browser in <head>")
      }
      if let folder = missingFolder {
        StandardError.print(
          "if the site is published under /\(folder)/, use: --url-prefix /\(folder)/")
      }
    }
    if let signal = signals.received { return ExitStatus(signal: signal) }
    let isIncomplete = command.checks && counts.placed > 0
    return counts.failed + counts.failedPages > 0 || isIncomplete ? .failure : .success
  }
}

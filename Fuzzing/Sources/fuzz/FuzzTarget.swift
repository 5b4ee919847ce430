@testable import LqipOptions
@testable import LqipPages
@testable import LqipRecords
@testable import LqipSystem
@testable import PlaceholderEncoding
@testable import Placeholders

/// A fuzz target.
///
/// Each target traps if a result violates an invariant.
enum FuzzTarget: String, CaseIterable {
  case exif
  case profile
  case jpeg
  case png
  /// PNG rows that bypass libpng, compared with rows from libpng.
  case rows
  case webp
  case gif
  /// Boxes and tiles of AVIF and HEIC.
  case heif
  /// Rendering of placeholders from text, at various sizes and contrasts.
  case previews
  /// Messages that a compromised worker could send to the parent process.
  case replies
  /// HTML pages, and the placeholders that are inserted into them.
  case pages

  /// Runs the target on an input.
  ///
  /// - Returns: Whether the input may be added to the corpus.
  func run(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .exif: _ = ImageOrientation(exif: bytes.span)
    case .profile: Self.readProfile(bytes)
    case .jpeg:
      guard ImageFormat(sniffing: bytes.span) == .jpeg else { return false }
      Self.decode(bytes)
    case .png:
      guard ImageFormat(sniffing: bytes.span) == .png else { return false }
      Self.decode(PNGChecksums.repaired(bytes))
    case .rows:
      guard ImageFormat(sniffing: bytes.span) == .png else { return false }
      Self.compareRows(PNGChecksums.repaired(bytes))
    case .webp:
      guard ImageFormat(sniffing: bytes.span) == .webp else { return false }
      Self.decode(bytes)
    case .gif:
      guard ImageFormat(sniffing: bytes.span) == .gif else { return false }
      Self.decode(bytes)
    case .heif:
      guard ImageFormat(sniffing: bytes.span)?.isHEIF == true else { return false }
      Self.decode(bytes)
    case .previews:
      guard bytes.count > 6 else { return false }
      Self.draw(
        String(decoding: bytes[6...], as: UTF8.self),
        width: 1 + Int(bytes[0] & 63), height: 1 + Int(bytes[1] & 63),
        punch: bytes[2..<6].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
    case .replies: Self.parseReply(bytes)
    case .pages: Self.editPage(bytes)
    }
    return true
  }

  /// Parses a profile for each sample layout, and converts samples with it.
  private static func readProfile(_ icc: [UInt8]) {
    if let excerpt = ProfileExcerpt(icc: icc.span) {
      precondition(ProfileExcerpt(icc: excerpt.bytes.span)?.bytes == excerpt.bytes)
    }
    let samples: [UInt8] = [0, 1, 127, 128, 254, 255, 90, 17, 200, 33, 64, 255]
    for layout in [SampleLayout.gray, .rgb, .rgba, .cmyk] {
      guard let profile = ColorProfile(icc: icc.span, layout: layout) else { continue }
      precondition(profile.curves.light.allSatisfy { $0 <= UInt64(TransferCurves.unit) })
      let color = profile.matrix([0.2, 0.5, 1, 0])
      precondition(all(color .>= 0) && all(color .<= 1))
      var output = samples
      profile.transform?.convert(samples, into: &output, pixelCount: 3)
    }
  }

  /// Decodes a file with options from its last byte, so that image files can be seeds without changes.
  private static func decode(_ file: [UInt8]) {
    var decoder = ImageDecoder()
    let choice = file[file.count - 1]
    decoder.options.isExact = choice & 1 != 0
    decoder.options.isLenient = choice & 2 != 0
    decoder.options.verifiesWholeFile = choice & 4 != 0
    decoder.limits.maximumPixelCounts[.jpeg] = 1 << 20
    decoder.limits.maximumPixelCounts[.png] = 1 << 20
    decoder.limits.maximumPixelCounts[.webp] = 1 << 20
    decoder.limits.maximumPixelCounts[.gif] = 1 << 20
    for format in [ImageFormat.avif, .heic, .heif] {
      decoder.limits.maximumPixelCounts[format] = 1 << 20
    }
    guard let image = try? decoder.decode(file.span) else { return }
    precondition(image.grid.sourceWidth > 0 && image.grid.sourceHeight > 0)
    precondition(image.grid.cells.allSatisfy { all($0 .>= 0) && all($0 .<= 1) })
  }

  /// Parses a message and a reply, and checks that encoding them again produces the same bytes.
  private static func parseReply(_ bytes: [UInt8]) {
    if let event = try? WorkerEvent.parse(bytes) { precondition(event.bytes == bytes) }
    guard let reply = try? EncodingResult(parsing: bytes) else { return }
    precondition(reply.bytes == bytes)
    precondition(bytes.count <= WorkerSettings.replyLimit * 3)
  }

  private static func scan(_ page: [UInt8]) -> PageScan {
    guard let scan = unsafe page.withUnsafeBytes({ unsafe PageScan(parsing: $0) }) else {
      preconditionFailure("Gumbo is not installed")
    }
    return scan
  }

  /// Inserts placeholders into a page, replaces them by others, and checks that this leaves nothing to insert.
  private static func editPage(_ page: [UInt8]) {
    let scan = scan(page)
    var images: [PageScan.Image] = []
    repeat {
      let reply = PageReply(scan, after: images.count)
      let last = images.last?.position ?? 0
      guard let parsed = try? PageReply(parsing: reply.bytes, of: page, after: last) else {
        preconditionFailure("the reply is invalid")
      }
      precondition(parsed == reply && reply.bytes.count <= WorkerSettings.replyLimit)
      images += reply.scan.images
    } while images.count < scan.images.count
    precondition(images == scan.images)
    let placement = ImagePlacement(width: 640, height: 480, declaration: "--lqip:#47d37520")
    func edits(_ scan: PageScan) -> [PageEdit] {
      let placements = scan.images.map { _ in placement }
      return scan.edits(placements, link: "<link rel=stylesheet href=lqip-html.css>")
    }
    let insertions = edits(scan)
    precondition(zip(insertions, insertions.dropFirst()).allSatisfy { $0.position <= $1.position })
    let edited = Self.scan(PageEdit.apply(insertions, to: page))
    precondition(edited.images.map(\.source) == scan.images.map(\.source))
    precondition(edits(edited).isEmpty)
    var outdated = scan
    outdated.findAddedText(in: page)
    let replaced = PageEdit.apply(edits(outdated), to: page)
    precondition(Self.scan(replaced).images.map(\.source) == scan.images.map(\.source))
    for image in scan.images {
      let file = SiteAddress.root.file(image.source, on: FilePath("a/b.html"), base: scan.base)
      precondition(file.map { $0.relative(to: FilePath([])) == $0 } ?? true)
    }
  }

  /// Compares the rows that bypass libpng with those from libpng.
  private static func compareRows(_ file: [UInt8]) {
    let (rows, exact) = (result(file, isExact: false), result(file, isExact: true))
    if case (.success, .failure(.corrupt(_, let reason))) = (rows, exact), reason.hasSuffix(" set")
    {
      // zlib rejects incomplete Huffman codes, which ISA-L accepts.
      return
    }
    precondition(rows == exact)
  }

  /// Renders the text as every placeholder kind that can parse it.
  private static func draw(_ text: String, width: Int, height: Int, punch bits: UInt32) {
    let punch = Float(bitPattern: bits)
    let drawings = [
      punch > 0 && punch.isFinite
        ? try? BlurHash(text)?.bitmap(width: width, height: height, punch: punch) : nil,
      try? ThumbHash(text)?.bitmap(width: width, height: height),
      try? TinyJPEG(text)?.bitmap(width: width, height: height),
      try? LQIP(text)?.bitmap(width: width, height: height),
      try? CSSInteger(text)?.bitmap(width: width, height: height),
    ]
    for drawing in drawings.compactMap(\.self) {
      precondition(drawing.width == width && drawing.height == height)
    }
  }

  private static func result(
    _ file: [UInt8], isExact: Bool
  ) -> Result<DecodedImage, ImageDecodingError> {
    var decoder = ImageDecoder()
    decoder.options.isExact = isExact
    decoder.limits.maximumPixelCounts[.png] = 1 << 20
    do {
      return .success(try decoder.decode(file.span))
    } catch {
      return .failure(error)
    }
  }
}

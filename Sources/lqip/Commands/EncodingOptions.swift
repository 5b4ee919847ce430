#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
internal import Placeholders

/// Which images to encode and how: what the commands over many images have in common.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  var components: ComponentCount?
  var blurHash = BlurHashEncoding.reference
  var lqip = LQIPEncoding.fitted
  var decoding = DecodeOptions()
  var jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  var maximumByteCount = 64 << 20
  var maximumPixelCount: Int?
  var limits = DecodeLimits()
  var timeout = Duration.seconds(10)

  static let operand = "PATH..."

  /// The paragraph of help on what paths stand for.
  static let pathDiscussion = """
    A PATH is a file, which is encoded whatever its name, or a directory, in which those files \
    are that are named .jpg, .jpeg, .jpe, .jfif, .png or .apng or begin as such an image, down \
    through its subdirectories; hidden names are passed over and symbolic links not followed. \
    The path '-' reads paths from standard input, one per line, and encodes them after the others.
    """

  /// The rows for the tables of the commands.
  static let table: [CommandOption<Self>] = [
    .value(
      "--components", "auto|XxY", \.components, .components,
      help: "Detail of the BlurHash: 1 to 9 components per axis; 'auto' (default) takes 4 on the "
        + "long side and 3 on the short, or 4x4 for a square."),
    .value(
      "--blurhash", "METHOD", \.blurHash, .choice,
      help: "How to find the terms of the BlurHash: 'reference' (default), as its C encoder does; "
        + "'fitted', those whose preview comes closest."),
    .value(
      "--lqip", "METHOD", \.lqip, .choice,
      help: "How to find the colors of the LQIP: 'fitted' (default), those that come closest; "
        + "'corners', from areas on the diagonal; 'six', fitted and three more in 'lqip2'."),
    .value(
      "--background", "COLOR", \.decoding.background, .color,
      help: "What shows through transparent pixels: #rrggbb, #rgb, 'white' (default) or 'black'."),
    .flag(
      "--no-orient", \.decoding.appliesOrientation, to: false,
      help: "Leave the image as stored, whatever its EXIF orientation."),
    .flag("--exact", \.decoding.isExact, help: "Decode every pixel at full size; slower."),
    .flag(
      "--lenient", \.decoding.isLenient,
      help: "Take what can be decoded of a damaged image, with a warning in its record."),
    .flag(
      "--verify", \.decoding.verifies,
      help: "Read every image to its end, so that any damage is found."),
    .value(
      "--jobs", short: "j", "N", \.jobs, .integer(in: 1...1024),
      help: "Encode at most N images at a time; default: the number of cores."),
    .value(
      "--max-bytes", "BYTES", \.maximumByteCount, .byteCount,
      help: "Refuse larger files; K, M and G are units. Default: 64M."),
    .value(
      "--max-pixels", "N", \.maximumPixelCount, .integer(in: 1...Int.max),
      help: "Refuse images of more pixels. Default: "
        + "\(DecodeLimits().maximumJPEGPixelCount) for JPEG, "
        + "\(DecodeLimits().maximumPNGPixelCount) for PNG."),
    .value(
      "--max-memory", "BYTES", \.limits.maximumDecodeMemory, .byteCount,
      help: "Refuse images that need more memory to decode. Default: 256M."),
    .value(
      "--timeout", "SECONDS", \.timeout, .seconds,
      help: "Give up on an image after this time. Default: 10."),
  ]

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError) {
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
  }

  /// Encodes what the paths stand for, and hands on the records in the order of the paths.
  @MainActor
  func run(
    receive: (PlaceholderRecord) throws(CommandError) -> Void
  ) async throws(CommandError) -> BatchSummary {
    let list = FilePath("-")
    let walker = ImageWalker(
      paths.filter { $0 != list },
      lines: paths.contains(list) ? LineReader(STDIN_FILENO) : nil)
    var summary = BatchSummary()
    try await BatchEncoder(encoder: fileEncoder, jobs: jobs).run(walker) {
      event throws(CommandError) in
      switch event {
      case .record(let record):
        summary.count(record)
        try receive(record)
      case .noImages(let directory):
        summary.countEmptyDirectory()
        StandardError.print("\(directory): no images found")
      }
    }
    return summary
  }

  /// What the settings make of one file.
  var fileEncoder: FileEncoder {
    var limits = limits
    limits.deadline = timeout
    if let maximumPixelCount {
      limits.maximumJPEGPixelCount = maximumPixelCount
      limits.maximumPNGPixelCount = maximumPixelCount
    }
    return FileEncoder(
      encoder: PlaceholderEncoder(
        options: decoding, limits: limits, components: components,
        blurHash: blurHash, lqip: lqip),
      maximumByteCount: maximumByteCount)
  }
}

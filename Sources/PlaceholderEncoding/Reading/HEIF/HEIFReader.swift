internal import CPlaceholderCodecs
internal import Placeholders

/// A reader of HEIC and AVIF images, which decodes one tile at a time.
///
/// An image of 200 megapixels in tiles takes the memory of one tile. If the file has a faithful thumbnail, only that is
/// decoded.
struct HEIFReader: ~Copyable {
  private let file: HEIFFile
  private var options: ImageDecoder.Options
  private let limits: ImageDecoder.Limits
  private let plan: HEIFPlan
  private let format: ImageFormat
  private var warnings: [String]
  /// Whether a lenient decode met damage.
  private var isDamaged = false

  /// The maximum number of pixels of a picture that is read at full size.
  ///
  /// In larger ones, 2×2 pixels are combined before they are converted, which takes a fifth less time.
  private static let maximumUnscaledPixelCount = 1 << 22
  private static let minimumScaledSide = 256

  /// Reads the list of items and makes a plan; throws if it is invalid or the image is too large.
  init(
    _ source: consuming ImageSource, _ format: ImageFormat, options: ImageDecoder.Options,
    limits: ImageDecoder.Limits
  ) throws(ImageDecodingError) {
    let file = try HEIFFile(source, format)
    let plan = try file.plan()
    let own: ImageFormat = plan.picture.isAV1 ? .avif : format == .heif ? .heif : .heic
    let (size, limit) = (plan.picture.size, limits.maximumPixelCount(of: own))
    guard size.pixelCount <= limit else {
      throw .tooLarge(
        reason: "\(size.width)x\(size.height) pixels, above the limit of \(limit)")
    }
    self.file = file
    self.plan = plan
    self.format = own
    self.options = options
    self.limits = limits
    warnings =
      plan.picture.properties.isCropIgnored
      ? ["crop ignored: not of whole pixels within the picture"] : []
  }

  /// Decodes the image.
  consuming func decode(isCancelled: () -> Bool) throws(ImageDecodingError) -> DecodedImage {
    let thumbnail = try thumbnailGrid(isCancelled)
    let grid = if let thumbnail { thumbnail } else { try pictureGrid(isCancelled) }
    let unread = thumbnail == nil ? [] : [plan.picture, plan.alpha].compactMap(\.self)
    let isComplete = try file.hasEnd(of: unread) && !isDamaged
    let orientation = plan.orientation
    return DecodedImage(
      format: format, grid: options.appliesOrientation ? grid.oriented(orientation) : grid,
      orientation: orientation, hasAlpha: plan.alpha != nil, isAnimated: file.frameCount != nil,
      frameCount: file.frameCount, isComplete: isComplete, warnings: warnings, flatBitmap: nil)
  }

  /// Returns the grid of the thumbnail; nil if there is none, or if it is damaged or must not be used.
  private mutating func thumbnailGrid(
    _ isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> PixelGrid? {
    guard let thumbnail = plan.thumbnail, !options.isExact, !options.verifiesWholeFile else {
      return nil
    }
    let count = warnings.count
    // The picture is better than what is left of a thumbnail.
    let isLenient = options.isLenient
    options.isLenient = false
    defer { options.isLenient = isLenient }
    do throws(ImageDecodingError) {
      return try grid(
        of: thumbnail, shown: PixelArea(thumbnail.size), as: PixelArea(plan.picture.size),
        alpha: [], isCancelled)
    } catch {
      switch error {
      case .corrupt, .truncated, .unsupported:
        warnings.removeSubrange(count...)
        warnings.append("thumbnail ignored: \(error)")
        return nil
      default: throw error
      }
    }
  }

  private mutating func pictureGrid(
    _ isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> PixelGrid {
    let alpha = try plan.alpha.map { alpha throws(ImageDecodingError) in
      try samples(of: alpha, isCancelled)
    }
    return try grid(
      of: plan.picture, shown: plan.crop, as: plan.crop, alpha: alpha ?? [], isCancelled)
  }

  /// Decodes the tiles of a picture that intersect an area, and calls `body` for each.
  ///
  /// In a lenient decode, tiles that are damaged beyond use are left out; returns the reason if none is left.
  private mutating func decodeTiles(
    of picture: CodedPicture, in area: PixelArea, extraMemory: Int, _ isCancelled: () -> Bool,
    body: (borrowing TileDecoder, TileArea, inout [String]) throws(ImageDecodingError) -> Void
  ) throws(ImageDecodingError) -> ImageDecodingError? {
    let groups = try file.reading { () throws(HEIFFailure) in try picture.tilesByData() }
    var decoder = try TileDecoder(picture, options: options, format: format)
    var failure: ImageDecodingError?
    var hasTile = false
    for (data, tiles) in groups {
      let shown = tiles.compactMap { TileArea(picture.area(of: $0), within: area) }
      guard !shown.isEmpty else { continue }
      do throws(ImageDecodingError) {
        let payload = try file.read(data)
        try checkMemory(of: picture, payload, extraMemory)
        try decoder.decode(payload)
      } catch {
        guard options.isLenient, let damage = error.damage else { throw error }
        failure = error
        warn(damage)
        continue
      }
      if let damage = decoder.damage { warn("damaged: \(damage)") }
      hasTile = true
      for area in shown {
        guard !isCancelled() else { throw .cancelled }
        try file.checkDeadline()
        try body(decoder, area, &warnings)
      }
    }
    return hasTile ? nil : failure
  }

  private mutating func warn(_ warning: String) {
    isDamaged = true
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  /// Fails if the codec would exceed the memory limit.
  ///
  /// dav1d takes up to 4/3 and libde265 up to 3/2 of the samples of a tile.
  private func checkMemory(
    of picture: CodedPicture, _ payload: [UInt8], _ extra: Int
  ) throws(ImageDecodingError) {
    let (depth, samples, size): (Int, Int, Int)
    switch picture.configuration {
    case .hevc(let configuration):
      let sequence = configuration.sequence
      depth = sequence.depth
      samples = [2, 3, 4, 6][sequence.chromaFormat]
      size = sequence.width * sequence.height
    case .av1:
      var tile = lqip_tile()
      let isKnown = unsafe payload.withUnsafeBufferPointer { payload in
        guard let start = payload.baseAddress else { return false }
        return unsafe lqip_tile_describe_av1(start, payload.count, &tile)
      }
      guard isKnown else { throw .corrupt(format: format, reason: "no sequence header") }
      depth = Int(tile.depth)
      samples = tile.is_gray ? 2 : tile.halves_rows ? 3 : tile.halves_columns ? 4 : 6
      size = picture.tileSize.pixelCount
    }
    let bytes = size * samples / 2 * (depth > 8 ? 2 : 1)
    let need = bytes + bytes / (picture.isAV1 ? 3 : 2) + payload.count + extra
    guard need <= limits.maximumDecodeMemory else {
      throw .tooLarge(reason: "decoding needs too much memory")
    }
  }

  /// Decodes luma to an 8-bit sample per pixel.
  private mutating func samples(
    of alpha: CodedPicture, _ isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> [UInt8] {
    guard alpha.size.pixelCount <= limits.maximumDecodeMemory else {
      throw .tooLarge(reason: "decoding needs too much memory")
    }
    let (format, width) = (format, alpha.size.width)
    var plane = [UInt8](repeating: 255, count: alpha.size.pixelCount)
    var row = [UInt8](repeating: 0, count: alpha.tileSize.width)
    // Pixels without alpha are opaque.
    _ = try decodeTiles(
      of: alpha, in: PixelArea(alpha.size), extraMemory: plane.count, isCancelled
    ) { decoder, area, _ throws(ImageDecodingError) in
      let isFullRange = alpha.color.coding?.isFullRange ?? decoder.tile.is_full_range
      let depth = Int(decoder.tile.depth)
      guard
        let matrix = lqip_tile_matrix(
          matrix: 2, primaries: 2, isFullRange: isFullRange, depth: depth, isGray: true)
      else { throw .unsupported(format: format, reason: "\(depth)-bit alpha") }
      for y in 0..<area.height {
        decoder.read(area.row(y, scale: 1), matrix, channels: 1, alpha: [], into: &row)
        let start = (area.targetY + y) * width + area.targetX
        plane.replaceSubrange(start..<start + area.width, with: row[..<area.width])
      }
    }
    return plane
  }

  /// Decodes a part of a picture to a grid.
  ///
  /// `source` is the area of the image that the part shows, which is larger for a thumbnail. `alpha` has a value for each
  /// pixel of the picture; it is empty if the picture is opaque.
  private mutating func grid(
    of picture: CodedPicture, shown: PixelArea, as source: PixelArea, alpha: [UInt8],
    _ isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> PixelGrid {
    var output: Output?
    let (format, plan, options) = (format, plan, options)
    let failure = try decodeTiles(
      of: picture, in: shown, extraMemory: alpha.count, isCancelled
    ) { decoder, area, warnings throws(ImageDecodingError) in
      if output == nil {
        let scale = Self.scale(of: picture, shown, decoder.tile, alpha.isEmpty, options)
        output = try Output(
          decoder.tile, picture.color, maximumLuminance: plan.picture.properties.maximumLuminance,
          shown: shown, as: source, scale: scale, hasAlpha: !alpha.isEmpty, format, options,
          &warnings)
      }
      guard
        output?.add(decoder, area, alpha, width: picture.size.width, plan.isPremultiplied) == true
      else { throw .unsupported(format: format, reason: "tiles with different samples") }
    }
    guard let grid = output?.finish() else {
      throw failure ?? .corrupt(format: format, reason: "no picture in the data")
    }
    return grid
  }

  /// Returns the number of pixels along each axis that are combined: 1 or 2.
  private static func scale(
    of picture: CodedPicture, _ shown: PixelArea, _ tile: lqip_tile, _ isOpaque: Bool,
    _ options: ImageDecoder.Options
  ) -> Int {
    let isAligned =
      shown.x % 2 == 0 && shown.y % 2 == 0
      && (picture.tiles.count == 1
        || picture.tileSize.width % 2 == 0 && picture.tileSize.height % 2 == 0)
    let isLarge =
      shown.width * shown.height > maximumUnscaledPixelCount
      && min(shown.width, shown.height) >= minimumScaledSide * 2
    return isLarge && isAligned && isOpaque && tile.halves_rows && !options.isExact ? 2 : 1
  }

  /// The grid under construction, and the conversion of samples to its rows.
  private struct Output {
    private let tile: lqip_tile
    private let matrix: lqip_tile_matrix
    private let samples: SampleLayout
    private let scale: Int
    private var builder: GridBuilder

    init(
      _ tile: lqip_tile, _ color: DeclaredColor, maximumLuminance: Int?, shown: PixelArea,
      as source: PixelArea, scale: Int, hasAlpha: Bool, _ format: ImageFormat,
      _ options: ImageDecoder.Options, _ warnings: inout [String]
    ) throws(ImageDecodingError) {
      let points =
        color.coding
        ?? CodingPoints(
          primaries: tile.primaries, transfer: tile.transfer, matrix: tile.matrix,
          isFullRange: tile.is_full_range)
      guard
        let matrix = lqip_tile_matrix(
          matrix: points.matrix, primaries: points.primaries, isFullRange: points.isFullRange,
          depth: Int(tile.depth), isGray: tile.is_gray)
      else { throw .unsupported(format: format, reason: "the matrix \(points.matrix)") }
      let isGray = tile.is_gray && color.hasGrayProfile
      samples = isGray ? hasAlpha ? .grayAlpha : .gray : hasAlpha ? .rgba : .rgb
      self.tile = tile
      self.matrix = matrix
      self.scale = scale
      builder = GridBuilder(
        columns: GridAxis(shown.width, scale, of: source.width),
        rows: GridAxis(shown.height, scale, of: source.height), samples: samples,
        profile: ColorProfile(color, points, samples, maximumLuminance, &warnings),
        over: options.background)
    }

    /// Adds the rows of a tile; returns false if its samples are unlike those of the first.
    mutating func add(
      _ decoder: borrowing TileDecoder, _ area: TileArea, _ alpha: [UInt8], width: Int,
      _ isPremultiplied: Bool
    ) -> Bool {
      guard decoder.tile.hasSamples(like: tile) else { return false }
      for y in stride(from: 0, to: area.height, by: scale) {
        let start = (area.pictureY + y) * width + area.pictureX
        decoder.read(
          area.row(y, scale: scale), matrix, channels: samples.count,
          alpha: alpha.isEmpty ? [] : alpha[start..<start + area.width],
          isPremultiplied: isPremultiplied, into: &builder.row)
        builder.addRow(
          lqip_row(
            y: UInt32((area.targetY + y) / scale), first_x: UInt32(area.targetX / scale),
            step_x: 1, count: UInt32((area.width + scale - 1) / scale),
            is_transparent_elsewhere: false))
      }
      return true
    }

    consuming func finish() -> PixelGrid? { builder.finish() }
  }
}

/// The part of a tile that is shown.
struct TileArea {
  /// The position in the tile.
  private let x: Int
  private let y: Int
  /// The position in the picture.
  let pictureX: Int
  let pictureY: Int
  /// The position in the shown part of the picture.
  let targetX: Int
  let targetY: Int
  let width: Int
  let height: Int

  /// Intersects the area of a tile with the part of the picture to show; nil if they do not overlap.
  init?(_ tile: (x: Int, y: Int, width: Int, height: Int), within shown: PixelArea) {
    let (left, top) = (max(tile.x, shown.x), max(tile.y, shown.y))
    width = min(tile.x + tile.width, shown.x + shown.width) - left
    height = min(tile.y + tile.height, shown.y + shown.height) - top
    guard width > 0, height > 0 else { return nil }
    (x, y, pictureX, pictureY) = (left - tile.x, top - tile.y, left, top)
    (targetX, targetY) = (left - shown.x, top - shown.y)
  }

  /// Returns the pixels of row `row` of the part, and of the next one if two are combined.
  func row(_ row: Int, scale: Int) -> lqip_tile_area {
    lqip_tile_area(
      x: UInt32(x), y: UInt32(y + row), width: UInt32(width), rows: UInt32(scale))
  }
}

extension lqip_tile {
  fileprivate func hasSamples(like other: lqip_tile) -> Bool {
    depth == other.depth && is_gray == other.is_gray && halves_columns == other.halves_columns
      && halves_rows == other.halves_rows && matrix == other.matrix
      && is_full_range == other.is_full_range
  }
}

extension ColorProfile {
  /// Creates the profile of a picture; sRGB if nothing is declared, or with a warning if it is unusable.
  ///
  /// An ICC profile takes precedence over coding points, as in browsers.
  fileprivate init(
    _ color: DeclaredColor, _ points: CodingPoints, _ samples: SampleLayout,
    _ maximumLuminance: Int?, _ warnings: inout [String]
  ) {
    self = .sRGB
    if let icc = color.profile {
      guard let profile = ColorProfile(icc: icc.span, layout: samples) else {
        warnings.append("color profile ignored: damaged or for a different color space")
        return
      }
      self = profile
      return
    }
    // 2 means unspecified.
    let coding = ColorCoding(
      primaries: points.primaries == 2 ? 1 : points.primaries,
      transfer: points.transfer == 2 ? 13 : points.transfer, cameraCurve: .sRGB)
    if let name = coding?.transfer.hdrName {
      warnings.append("HDR transfer function \(name): shown as on a screen without HDR")
    }
    guard
      let profile = coding.flatMap({
        ColorProfile(
          coding: $0, layout: samples, maximumLuminance: Double(maximumLuminance ?? 0))
      })
    else {
      warnings.append("color space ignored: unsupported values")
      return
    }
    self = profile
  }
}

extension ImageDecodingError {
  /// The warning of a lenient decode; nil for an error that is not damage.
  fileprivate var damage: String? {
    switch self {
    case .corrupt(_, let reason): "damaged: \(reason)"
    case .truncated(_, let reason): "truncated: \(reason)"
    default: nil
    }
  }
}

extension GridAxis {
  /// Divides pixels, of which `scale` are combined into one, and which show a side of the image.
  fileprivate init(_ length: Int, _ scale: Int, of sourceLength: Int) {
    let decodedLength = (length + scale - 1) / scale
    if length == sourceLength {
      self.init(decodedLength: decodedLength, sourceLength: sourceLength, scale: scale)
    } else {
      self.init(decodedLength: decodedLength, enlargedTo: sourceLength)
    }
  }
}

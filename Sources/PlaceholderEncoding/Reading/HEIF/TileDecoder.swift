internal import CPlaceholderCodecs

/// A decoder of the tiles of one coded picture, one at a time.
@safe struct TileDecoder: ~Copyable {
  private let handle: OpaquePointer
  private let picture: CodedPicture
  private let format: ImageFormat
  /// The properties of the decoded tile.
  private(set) var tile = lqip_tile()
  /// The damage of the decoded tile, in a lenient decode.
  private(set) var damage: String?

  init(
    _ picture: CodedPicture, options: ImageDecoder.Options, format: ImageFormat
  ) throws(ImageDecodingError) {
    let size = picture.tileSize
    let codec: lqip_tile_codec = picture.isAV1 ? .LQIP_AV1 : .LQIP_HEVC
    guard
      let handle = unsafe lqip_tile_decoder_create(
        codec, UInt32(clamping: size.pixelCount), options.isExact, options.isLenient)
    else {
      let library: CodecLibrary = picture.isAV1 ? .dav1d : .libde265
      throw library.version != nil ? .outOfMemory : picture.missingLibrary(format)
    }
    unsafe self.handle = handle
    (self.picture, self.format) = (picture, format)
  }

  deinit { unsafe lqip_tile_decoder_destroy(handle) }

  /// Decodes the payload of a tile.
  mutating func decode(_ payload: [UInt8]) throws(ImageDecodingError) {
    let bytes: [UInt8]
    do throws(HEIFFailure) {
      bytes =
        switch picture.configuration {
        case .av1: payload
        case .hevc(let configuration): try configuration.bitstream(payload)
        }
    } catch {
      throw error.error(of: format)
    }
    let size = picture.tileSize
    var message: UnsafePointer<CChar>?
    var tile = lqip_tile()
    let status = unsafe bytes.withUnsafeBufferPointer { bytes in
      // An empty buffer may have no address.
      guard let start = bytes.baseAddress else { return lqip_status.LQIP_CORRUPT }
      return unsafe lqip_tile_decoder_decode(handle, start, bytes.count, &tile, &message)
    }
    damage = unsafe message.map { unsafe String(cString: $0) }
    guard status == .LQIP_SUCCESS else {
      guard status != .LQIP_OUT_OF_MEMORY else { throw .outOfMemory }
      throw .corrupt(format: format, reason: damage ?? "no picture in the data")
    }
    self.tile = tile
    guard Int(tile.width) == size.width, Int(tile.height) == size.height else {
      throw .corrupt(
        format: format,
        reason: "a picture of \(tile.width)x\(tile.height) pixels, declared as "
          + "\(size.width)x\(size.height)")
    }
  }

  /// Converts pixels of the decoded tile to the start of a row of samples.
  func read(
    _ area: lqip_tile_area, _ matrix: lqip_tile_matrix, channels: Int, alpha: ArraySlice<UInt8>,
    isPremultiplied: Bool = false, into row: inout [UInt8]
  ) {
    let count = (Int(area.width) + Int(area.rows) - 1) / Int(area.rows)
    precondition(row.count >= count * channels, "the row is too short")
    precondition(alpha.isEmpty || alpha.count >= count, "alpha is too short")
    var matrix = matrix
    let isRead = unsafe row.withUnsafeMutableBufferPointer { row in
      unsafe alpha.withUnsafeBufferPointer { alpha in
        guard let start = row.baseAddress else { return false }
        return unsafe lqip_tile_decoder_read(
          handle, &matrix, area, Int32(channels), alpha.isEmpty ? nil : alpha.baseAddress,
          isPremultiplied, start)
      }
    }
    precondition(isRead, "the area exceeds the tile")
  }
}

extension CodedPicture {
  var isAV1: Bool {
    switch configuration {
    case .av1: true
    case .hevc: false
    }
  }

  /// The error of a picture whose codec is missing.
  fileprivate func missingLibrary(_ format: ImageFormat) -> ImageDecodingError {
    let (library, package) = isAV1 ? ("dav1d", "libdav1d6") : ("libde265", "libde265-0")
    let isBuilt = lqip_has_tile_codec(isAV1 ? .LQIP_AV1 : .LQIP_HEVC)
    return .unsupported(
      format: format,
      reason: isBuilt ? "needs \(library) (Debian package \(package))" : "built without \(library)")
  }
}

private import CEXIF

/// How the stored rows and columns lie in the upright image, as Exif numbers it.
///
/// Source: Exif 2.32, tag 0x0112: the value says where the stored row 0 and column 0 are seen.
enum Orientation: Int, Sendable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  case leftMirrored
  case right
  case rightMirrored
  case left

  /// Reads the tag from TIFF data, as it stands in an Exif segment behind its signature.
  ///
  /// Without the tag, or with a value of no meaning, an image is upright.
  init(exif: Span<UInt8>) {
    var block = Array("Exif\0\0".utf8)
    for index in exif.indices { block.append(exif[index]) }
    let value = unsafe block.withUnsafeBufferPointer { block -> Int in
      guard let data = unsafe exif_data_new() else { return 1 }
      defer { unsafe exif_data_unref(data) }
      unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
      unsafe exif_data_set_option(data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE)
      unsafe exif_data_load_data(data, block.baseAddress, UInt32(block.count))
      guard
        let entry = unsafe exif_content_get_entry(data.pointee.ifd.0, EXIF_TAG_ORIENTATION),
        unsafe entry.pointee.format == EXIF_FORMAT_SHORT, unsafe entry.pointee.size >= 2
      else { return 1 }
      return unsafe Int(exif_get_short(entry.pointee.data, exif_data_get_byte_order(data)))
    }
    self = Orientation(rawValue: value) ?? .up
  }

  /// Whether the stored rows are the columns that are seen.
  var swapsAxes: Bool { rawValue >= Self.leftMirrored.rawValue }

  /// Whether, in the upright image, stored positions count from the right.
  var mirrorsColumns: Bool {
    switch self {
    case .upMirrored, .down, .right, .rightMirrored: true
    case .up, .downMirrored, .leftMirrored, .left: false
    }
  }

  /// Whether, in the upright image, stored positions count from the bottom.
  var mirrorsRows: Bool {
    switch self {
    case .down, .downMirrored, .rightMirrored, .left: true
    case .up, .upMirrored, .leftMirrored, .right: false
    }
  }
}

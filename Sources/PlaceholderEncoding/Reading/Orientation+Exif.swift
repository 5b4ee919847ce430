private import CPlaceholderEXIF
internal import Placeholders

extension Orientation {
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
}

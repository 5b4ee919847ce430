/// The trained constants of the header, as printed by `scripts/train-tiny`.
///
/// The training set is 1,816 crops of 227 photographs from Debian's packages gcompris-qt-data and
/// plasma-workspace-wallpapers.
enum TrainedTables {
  /// The quantization steps in zigzag order for Y, Cb and Cr; the encoder uses only the listed coefficients.
  ///
  /// In the header, the steps after the listed ones equal the last listed step.
  static let steps: [[UInt8]] = [
    [
      20, 18, 24, 22, 19, 25, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
      22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
      22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
    ],
    [
      16, 15, 15, 15, 14, 16, 15, 15, 15, 15, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14,
      14, 14, 14, 14, 14,
    ],
    [
      15, 17, 15, 15, 15, 17, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
      15, 15, 15, 15, 15,
    ],
  ]

  /// The Huffman codes: the symbols of each code length in bits, in the order of their codes.
  static let dcLuma: [Int: [UInt8]] = [
    2: [3, 4, 5],
    3: [2],
    4: [1],
    5: [6],
    6: [0],
    7: [7],
  ]
  static let acLuma: [Int: [UInt8]] = [
    2: [0x01, 0x02],
    3: [0x03],
    4: [0x00, 0x11, 0x12],
    5: [0x04, 0x21],
    6: [0x13, 0x22, 0x31, 0x41],
    7: [0x32, 0x51, 0x61, 0x71],
    8: [0x05, 0x81],
    9: [0x14, 0x23, 0x42, 0x52, 0x62, 0x72, 0x91, 0xa1, 0xb1],
    10: [0xa2, 0xc1],
    11: [0x15, 0x33, 0x43, 0x82, 0x92, 0xd1],
    12: [0x24, 0x53, 0x73],
    14: [0x34, 0x63, 0xe1],
    15: [0x44],
    16: [0x25],
  ]
  static let dcChroma: [Int: [UInt8]] = [
    2: [2, 3, 4],
    3: [1],
    4: [0],
    5: [5],
    6: [6],
    7: [7],
  ]
  static let acChroma: [Int: [UInt8]] = [
    2: [0x00, 0x01],
    3: [0x02, 0x11],
    4: [0x03],
    5: [0x12, 0x21],
    6: [0x13, 0x31, 0x41, 0x51],
    7: [0x04, 0x22, 0x61, 0x91],
    8: [0x14, 0x32, 0x42, 0x52, 0x62, 0x71, 0xa1],
    9: [0x81],
    10: [0xb1],
    11: [0x23],
    12: [0x43],
    13: [0x05],
    14: [0x33],
  ]
}

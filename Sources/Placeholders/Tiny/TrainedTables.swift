/// The trained constants of the headers, as printed by `scripts/train-tiny`.
///
/// The training set is 1,816 crops of 227 photographs of Debian's gcompris-qt-data and plasma-workspace-wallpapers.
enum TrainedTables {
  /// The quantization steps of the landscape header in zigzag order, for each component.
  ///
  /// The steps after the listed ones equal the last listed step.
  static let steps: [[UInt8]] = [
    [
      25, 32, 32, 32, 32, 32, 36, 36, 36, 36, 29, 29, 29, 29, 29, 32, 32, 32, 32, 32, 32, 32, 32,
      32, 32, 32, 32, 32,
    ],
    [27, 24, 23, 24, 20, 25, 24, 24, 24, 24],
    [24, 24, 35, 27, 24, 24, 23, 23, 23, 23],
  ]

  /// The Huffman codes: the symbols of each code length in bits, in the order of their codes.
  static let dcLuma: [Int: [UInt8]] = [
    2: [3, 4, 5],
    3: [2],
    4: [1],
    5: [0],
    6: [6],
    7: [7],
  ]
  static let acLuma: [Int: [UInt8]] = [
    2: [0x01, 0x02],
    3: [0x00],
    4: [0x03, 0x11, 0x12],
    5: [0x21],
    6: [0x04, 0x13, 0x22, 0x31, 0x32, 0x41, 0x51],
    7: [0x52, 0x61],
    8: [0x42, 0x62, 0x71, 0x81, 0x91],
    9: [0x14, 0x33, 0xa1],
    10: [0x05, 0x82, 0x92],
    11: [0x23, 0x53, 0x72, 0xb1, 0xc1],
    12: [0x63],
    13: [0x15],
    15: [0x43, 0xd1],
    16: [0x24, 0x34, 0xe1],
  ]
  static let dcChroma: [Int: [UInt8]] = [
    2: [0, 1, 2],
    3: [3],
    4: [4],
    5: [5],
    6: [6],
    7: [7],
  ]
  static let acChroma: [Int: [UInt8]] = [
    1: [0x00],
    3: [0x01, 0x02],
    4: [0x11, 0x12],
    5: [0x03],
    6: [0x13, 0x21, 0x31, 0x41, 0x51],
    8: [0x22, 0x42],
    9: [0x52, 0x61, 0x81],
    10: [0x23],
    11: [0x32],
    12: [0x04],
    13: [0x71],
    14: [0x14],
    15: [0x05],
  ]
}

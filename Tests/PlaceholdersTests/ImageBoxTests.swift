import Placeholders
import Testing

@Suite struct ImageBoxTests {
  /// The sides of images, and those of boxes of at most 260 × 320 points, rounded.
  private static let cases: [[Int]] = [
    [1085, 764, 260, 183], [764, 1085, 225, 320], [45, 33, 45, 33], [0, 0, 1, 1],
    [-5, Int.min, 1, 1],
    [Int.max, Int.max, 260, 260], [Int.max, 1, 260, 1], [1, Int.max, 1, 320],
  ]

  @Test(arguments: cases)
  func `a box has at most the maximum sides, whatever a message says`(sides: [Int]) {
    let box = ImageBox(width: sides[0], height: sides[1], maxWidth: 260, maxHeight: 320)
    #expect([box.width.rounded(), box.height.rounded()] == [Double(sides[2]), Double(sides[3])])
  }
}

import LqipFiles
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct RecordIndexTests {
  @Test(arguments: [1, 7, 1_333_334, 133_333_334])
  func `hashes are spread over all slots`(count: Int) {
    #expect(RecordIndex.slot(of: 0, among: count) == 0)
    #expect(RecordIndex.slot(of: 1 << 31, among: count) == count / 2)
    #expect(RecordIndex.slot(of: .max, among: count) == count - 1)
  }

  @Test func `each record is found by its path, and those of the same path in their order`() {
    var index = RecordIndex()
    let names = (0..<1000).map { FilePath("directory/\($0 % 900).png") }
    for (number, name) in names.enumerated() {
      index.append(RecordIndex.Place(offset: number * 100, byteCount: 99), path: name)
    }
    index.seal()
    for (number, name) in names.enumerated() {
      #expect(index.candidates(for: name).contains(number))
      #expect(index[number] == RecordIndex.Place(offset: number * 100, byteCount: 99))
    }
    #expect(index.candidates(for: names[5]).starts(with: [5, 905]))
    #expect(index.candidates(for: FilePath("./directory/5.png")) == index.candidates(for: names[5]))
  }
}

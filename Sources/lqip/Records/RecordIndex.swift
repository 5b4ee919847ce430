package import LqipFiles

/// Finds the records of a file by the hash of their paths, in about 17 bytes each.
package struct RecordIndex: Sendable {
  /// Where a record stands in its file.
  package struct Place: Hashable, Sendable {
    package let offset: Int
    package let byteCount: Int

    package init(offset: Int, byteCount: Int) {
      self.offset = offset
      self.byteCount = byteCount
    }
  }

  /// `RecordReader` takes no entry of 2^21 bytes or more, which leaves 43 bits for the offset.
  private static let byteCountBits: UInt64 = 21

  private var places: [UInt64] = []
  private var hashes: [UInt32] = []
  /// The numbers of records plus one, where their hashes point or soon after; 0 is free.
  private var table: [UInt32] = []

  package init() {}

  /// Makes room, so that no copy of what is there has to be made.
  package mutating func reserveCapacity(_ count: Int) {
    places.reserveCapacity(count)
    hashes.reserveCapacity(count)
  }

  /// How many records there are; they have the numbers below.
  package var count: Int {
    places.count
  }

  package subscript(number: Int) -> Place {
    let bits = places[number]
    return Place(
      offset: Int(bits >> Self.byteCountBits),
      byteCount: Int(bits & (1 << Self.byteCountBits - 1)))
  }

  /// Adds a record; it can be found once `seal` was called.
  package mutating func append(_ place: Place, path: FilePath) {
    precondition(place.byteCount < 1 << Self.byteCountBits, "an entry is not that long")
    precondition(count < UInt32.max - 1, "numbers have 32 bits")
    places.append(UInt64(place.offset) << Self.byteCountBits | UInt64(place.byteCount))
    hashes.append(Self.hash(of: path))
  }

  /// Makes all records ready to be found.
  package mutating func seal() {
    table = [UInt32](repeating: 0, count: count + count / 3 + 1)
    for number in places.indices {
      var slot = slot(of: hashes[number])
      while table[slot] != 0 { slot = slot + 1 == table.count ? 0 : slot + 1 }
      table[slot] = UInt32(number + 1)
    }
  }

  /// Gives the numbers of the records whose path may be this one.
  package func candidates(for path: FilePath) -> [Int] {
    guard !places.isEmpty else { return [] }
    let hash = Self.hash(of: path)
    var numbers: [Int] = []
    var slot = slot(of: hash)
    while table[slot] != 0 {
      let number = Int(table[slot] - 1)
      if hashes[number] == hash { numbers.append(number) }
      slot = slot + 1 == table.count ? 0 : slot + 1
    }
    return numbers.sorted()
  }

  private func slot(of hash: UInt32) -> Int {
    Self.slot(of: hash, among: table.count)
  }

  /// Where the search for a hash begins: hashes are spread evenly over all slots.
  static func slot(of hash: UInt32, among count: Int) -> Int {
    Int((UInt64(hash) * UInt64(count)) >> 32)
  }

  private static func hash(of path: FilePath) -> UInt32 {
    UInt32(truncatingIfNeeded: path.normalized.hashValue)
  }
}

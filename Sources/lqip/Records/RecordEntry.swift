package import LqipFiles

/// An entry of an earlier output, to be added to another.
package struct RecordEntry: Hashable, Sendable {
  package let key: RecordKey
  package let bytes: [UInt8]

  package init(key: RecordKey, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }

  /// Reads an entry of whatever form, and writes it as a layout does if that is not how it is.
  ///
  /// - Parameters:
  ///   - text: The entry and nothing else.
  ///   - form: How it is written.
  ///   - layout: How it is to be written.
  package init?(_ text: [UInt8], _ form: RecordForm, in layout: RecordLayout) {
    if form == layout.form, let key = RecordKey(parsing: text, form) {
      self.init(key: key, bytes: text)
      return
    }
    guard let key = RecordKey(parsing: text, text.indices, form, allowsSpace: true),
      let members = try? form.members(of: text, text.indices)
    else { return nil }
    self.init(key: key, bytes: layout.entry(of: members, at: key.path))
  }

  /// The entry with a stamp and a digest of its own, for the name by which the file is known now.
  package func restamped(
    _ stamp: RecordStamp, digest: SHA256Digest?, at path: FilePath, in layout: RecordLayout
  ) -> RecordEntry {
    guard let old = try? layout.form.members(of: bytes, bytes.indices) else { return self }
    let replaced = ["path", "path_base64", "src", "sha256", "modified", "encoder"]
    let source = old.contains { $0.name == "src" } ? [layout.source(of: path)] : []
    let new =
      RecordPath(path).members + source + old.filter { !replaced.contains($0.name) }
      + (digest.map { [("sha256", .string($0.hex))] } ?? []).filter {
        layout.members.contains($0.name)
      } + stamp.members
    let bytes = layout.entry(of: new, at: path)
    return RecordKey(parsing: bytes, layout.form).map { RecordEntry(key: $0, bytes: bytes) } ?? self
  }
}

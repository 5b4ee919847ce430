package import PlaceholderEncoding

/// The settings of an encoder; stamps and workers receive them as text.
package struct EncoderSettings: Hashable, Sendable {
  /// The default of ``maximumByteCount``.
  package static let defaultByteCount = 64 << 20

  private var options: PlaceholderEncoder.Options
  /// The maximum size of a file in bytes.
  private(set) var maximumByteCount: Int

  package init(
    _ options: PlaceholderEncoder.Options = PlaceholderEncoder.Options(),
    maximumByteCount: Int = Self.defaultByteCount
  ) {
    self.options = options
    self.options.kinds.sort { $0.rawValue < $1.rawValue }
    self.maximumByteCount = maximumByteCount
  }

  package var encoder: PlaceholderEncoder { PlaceholderEncoder(options) }

  /// The placeholder kinds and the settings that differ from the defaults, such as `blurhash,lqip components=4x3`.
  package var text: String {
    var settings = self
    var words = SettingWords()
    settings.visit(&words)
    let kinds = options.kinds.map(\.rawValue).joined(separator: ",")
    return ([kinds] + words.changed).joined(separator: " ")
  }

  /// Parses the text of settings; `nil` if a kind, a name or a value is unknown.
  init?(parsing text: String) {
    self.init()
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let names = words[0].split(separator: ",")
    options.kinds = names.compactMap { PlaceholderKind(rawValue: String($0)) }
    var given = SettingWords(given: words.dropFirst().map(String.init))
    visit(&given)
    guard options.kinds.count == names.count, given.given == given.changed else { return nil }
  }

  /// The only list of the settings.
  private mutating func visit(_ words: inout SettingWords) {
    let standard = PlaceholderEncoder.Options()
    words.visit("components", &options.blurHash.components, standard.blurHash.components)
    words.visit("blurhash", &options.blurHash.method, standard.blurHash.method)
    words.visit("lqip", &options.lqip.method, standard.lqip.method)
    words.visit("tiny-bytes", &options.tiny.maximumByteCount, standard.tiny.maximumByteCount)
    words.visit("preview-format", &options.preview.format, standard.preview.format)
    words.visit(
      "preview-bytes", &options.preview.maximumByteCount, standard.preview.maximumByteCount)
    words.visit("background", &options.decoding.background, standard.decoding.background)
    words.visit("exact", &options.decoding.isExact)
    words.visit("lenient", &options.decoding.isLenient)
    words.visit("verify", &options.decoding.verifiesWholeFile)
    words.visit("max-bytes", &maximumByteCount, Self.defaultByteCount)
    var pixelCount = options.limits.maximumPixelCounts[.jpeg] ?? 0
    words.visit("max-pixels", &pixelCount, 0)
    if pixelCount > 0 { options.limits.setMaximumPixelCount(pixelCount) }
    words.visit(
      "max-memory", &options.limits.maximumDecodeMemory, standard.limits.maximumDecodeMemory)
  }
}

/// Sets settings to the values of words such as `components=4x3` or `exact`, and lists those that differ from the
/// defaults.
private struct SettingWords {
  var given: [String] = []
  private(set) var changed: [String] = []

  mutating func visit<Value: LosslessStringConvertible & Equatable>(
    _ name: String, _ value: inout Value, _ standard: Value
  ) {
    if let text = text(of: "\(name)=") { value = Value(text) ?? value }
    if value != standard { changed.append("\(name)=\(value)") }
  }

  mutating func visit<Value: RawRepresentable<String> & Equatable>(
    _ name: String, _ value: inout Value, _ standard: Value
  ) {
    if let text = text(of: "\(name)=") { value = Value(rawValue: text) ?? value }
    if value != standard { changed.append("\(name)=\(value.rawValue)") }
  }

  /// Visits a flag, which is not set by default.
  mutating func visit(_ name: String, _ flag: inout Bool) {
    if given.contains(name) { flag = true }
    if flag { changed.append(name) }
  }

  private func text(of name: String) -> String? {
    given.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
  }
}

extension ImageDecoder.Limits {
  /// Limits the number of pixels of every format.
  package mutating func setMaximumPixelCount(_ count: Int) {
    for format in ImageFormat.allCases { maximumPixelCounts[format] = count }
  }
}

import LqipSystem
package import PlaceholderEncoding

/// The settings of an encoder, which workers receive as text.
package struct EncoderSettings: Hashable, Sendable {
  /// The placeholder kinds and the options that differ from the defaults, such as `blurhash,lqip components=4x3`.
  package let text: String
  package let encoder: PlaceholderEncoder
  /// The maximum size of a file in bytes.
  let maximumByteCount: Int

  package init(
    _ options: PlaceholderOptions, _ limits: LimitOptions, kinds: [PlaceholderKind]
  ) {
    let kinds = kinds.sorted { $0.rawValue < $1.rawValue }
    let names = kinds.map(\.rawValue).joined(separator: ",")
    text = ([names] + options.text + limits.text).joined(separator: " ")
    maximumByteCount = limits.byteCount
    var encoding = options
    encoding.kinds = kinds
    encoding.limits = limits.decodeLimits
    encoder = PlaceholderEncoder(encoding)
  }

  /// Parses the text of settings; `nil` if a kind or an option is unknown.
  init?(parsing text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    var kinds: [PlaceholderKind] = []
    for name in words[0].split(separator: ",") {
      guard let kind = PlaceholderKind(rawValue: String(name)) else { return nil }
      kinds.append(kind)
    }
    var (options, limits) = (PlaceholderOptions(), LimitOptions())
    for word in words.dropFirst() {
      guard
        Self.apply(word, to: &options, by: PlaceholderOptions.table)
          || Self.apply(word, to: &limits, by: LimitOptions.table)
      else { return nil }
    }
    self.init(options, limits, kinds: kinds)
  }

  /// Changes a setting; returns `false` if no option accepts the word, such as `components=4x3` or `exact`.
  private static func apply<Options>(
    _ word: Substring, to options: inout Options, by table: [CommandOption<Options>]
  ) -> Bool {
    let name = word.prefix { $0 != "=" }
    guard let option = table.first(where: { $0.name.dropFirst(2) == name }) else { return false }
    return option.apply(&options, CommandArgument(String(word.dropFirst(name.count + 1))))
  }
}

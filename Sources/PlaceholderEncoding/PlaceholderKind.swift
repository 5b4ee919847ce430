package import Placeholders

/// A kind of placeholder; an image is decoded only once for all requested kinds.
@nonexhaustive
public enum PlaceholderKind: String, Sendable, Hashable, CaseIterable {
  /// A BlurHash: about 30 characters for a blurred preview.
  case blurHash = "blurhash"
  /// An LQIP: three colors in 32 bits, or six in 64 bits, rendered by a stylesheet.
  case lqip
  /// A ThumbHash: about 25 bytes, encoded in Base64, for a blurred preview with aspect ratio and transparency.
  case thumbHash = "thumbhash"
  /// A tiny JPEG: at most 24 bytes, which form a complete JPEG file together with a constant header.
  case tiny
  /// A preview image in a data URL.
  case preview
  /// The preview image in an SVG with a blur filter.
  case svg
  /// A CSS gradient preview in one integer, rendered by a stylesheet.
  case css
  /// The dominant colors with their shares of the image.
  case palette
}

extension PlaceholderKind {
  /// The definitions of all kinds, in the order of a record.
  package static let table = allCases.map { $0.newDefinition() }
  /// The definitions of the kinds that can be rendered from their text.
  package static let drawn = table.filter { $0.parse != nil }

  package var definition: Definition {
    Self.table.first { $0.kind == self } ?? newDefinition()
  }

  /// The names of the record members, in order.
  package var memberNames: [String] {
    switch self {
    case .blurHash: ["blurhash", "components"]
    case .lqip: ["lqip", "lqip2"]
    default: [rawValue]
    }
  }

  /// A new kind is a case above, a line here, and a property of ``ImagePlaceholders``; the README of this folder lists
  /// the other places.
  private func newDefinition() -> Definition {
    switch self {
    case .blurHash:
      Definition(self, "BlurHash", { $0.blurHash }, { $0.blurHash = $1 }) {
        let options = $0.options.blurHash
        return BlurHash(
          encoding: $0.grid, components: options.components, method: options.method)
      }
    case .lqip:
      Definition(self, "LQIP", { $0.lqip }, { $0.lqip = $1 }) {
        let method = $0.options.lqip.method
        return LQIP(encoding: method == .corners ? $0.grid : $0.thumbnail, method: method)
      }
    case .thumbHash:
      Definition(self, "ThumbHash", { $0.thumbHash }, { $0.thumbHash = $1 }) {
        ThumbHash(encoding: $0.grid)
      }
    case .tiny:
      Definition(self, "tiny JPEG", { $0.tiny }, { $0.tiny = $1 }) {
        TinyJPEG(encoding: $0.thumbnail, maximumByteCount: $0.options.tiny.maximumByteCount)
      }
    case .preview:
      Definition(self, "preview", { $0.preview?.dataURL }) { $1.preview = $0.preview }
    case .svg:
      Definition(self, "SVG", { $0.preview?.svgDataURL }) { $1.preview = $0.preview }
    case .css:
      Definition(self, "CSS integer", { $0.css }, { $0.css = $1 }) {
        CSSInteger(encoding: $0.thumbnail)
      }
    case .palette:
      Definition(self, "palette", { $0.palette?.colors }) {
        $1.palette = ImagePalette(encoding: $0.thumbnail)
      }
    }
  }

  /// What a kind is called, how its values are computed, and how their text is written and read.
  ///
  /// It is a class because a structure of closures is slow to copy.
  package final class Definition: Sendable {
    package let kind: PlaceholderKind
    /// The name in a sentence, such as `tiny JPEG`.
    package let title: String
    /// Returns the text of a value; `nil` if the kind was not requested.
    package let text: @Sendable (ImagePlaceholders) -> String?
    let compute: @Sendable (inout PlaceholderSource, inout ImagePlaceholders) -> Void
    /// Parses a text for rendering; `nil` if values of this kind are not rendered.
    package let parse: (@Sendable (String) throws -> any DrawnPlaceholder)?
    /// Sets the value to that of exactly this text; returns `false` for any other text.
    package let read: @Sendable (String, inout ImagePlaceholders) -> Bool

    fileprivate init(
      _ kind: PlaceholderKind, _ title: String,
      _ text: @escaping @Sendable (ImagePlaceholders) -> String?,
      parse: (@Sendable (String) throws -> any DrawnPlaceholder)? = nil,
      read: @escaping @Sendable (String, inout ImagePlaceholders) -> Bool = { _, _ in false },
      compute: @escaping @Sendable (inout PlaceholderSource, inout ImagePlaceholders) -> Void
    ) {
      (self.kind, self.title, self.text) = (kind, title, text)
      (self.parse, self.read, self.compute) = (parse, read, compute)
    }

    /// Creates the definition of a kind whose values have a text form and can be rendered.
    fileprivate convenience init<Value: DrawnPlaceholder>(
      _ kind: PlaceholderKind, _ title: String,
      _ get: @escaping @Sendable (ImagePlaceholders) -> Value?,
      _ set: @escaping @Sendable (inout ImagePlaceholders, Value) -> Void,
      encode: @escaping @Sendable (inout PlaceholderSource) -> Value
    ) {
      self.init(
        kind, title, { get($0)?.description }, parse: { try Value(parsing: $0) },
        read: { text, image in
          // A parser may accept further forms.
          guard let value = Value(text), value.description == text else { return false }
          set(&image, value)
          return true
        }, compute: { source, image in set(&image, encode(&source)) })
    }
  }
}

/// A decoded image, from which placeholders are computed.
struct PlaceholderSource {
  let image: DecodedImage
  let options: PlaceholderEncoder.Options
  private(set) lazy var thumbnail = image.grid.opaqueThumbnail
  private(set) lazy var preview = PreviewImage(encoding: image, options.preview)

  var grid: PixelGrid { image.grid }

  init(_ image: DecodedImage, _ options: PlaceholderEncoder.Options) {
    (self.image, self.options) = (image, options)
  }
}

extension ImagePalette {
  /// The colors, separated by spaces.
  fileprivate var colors: String {
    swatches.map(\.color.description).joined(separator: " ")
  }
}

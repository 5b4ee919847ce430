// swift-format-ignore-file
// The declarations of SwiftUI and Core Graphics that PlaceholderViews and its samples use. A context records its fills.
@_exported import Foundation
public typealias CFData = Data
public final class CGColorSpace { public init?(name: String) {}; public static let sRGB = "sRGB" }
public final class CGDataProvider { public init?(data: CFData) {} }
public struct CGBitmapInfo: OptionSet, Sendable { public let rawValue: UInt32; public init(rawValue: UInt32) { self.rawValue = rawValue } }
public enum CGImageAlphaInfo: UInt32 { case last = 3, noneSkipLast = 5 }; public enum CGColorRenderingIntent { case defaultIntent }
public final class CGImage: @unchecked Sendable { public init?(width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent) {} }
@MainActor @preconcurrency public protocol View { associatedtype Body: View; @ViewBuilder @MainActor var body: Body { get } }
public protocol Primitive: View where Body == Never {}; extension Primitive { public var body: Never { fatalError() } }
extension Never: View { public var body: Never { fatalError() } }
extension Optional: View, Primitive where Wrapped: View { public typealias Body = Never }
public struct Group<Content>: Primitive {}
@resultBuilder public struct ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group<(repeat each Content)> { Group() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<A: View, B: View>(first: A) -> Group<(A, B)> { Group() }
  public static func buildEither<A: View, B: View>(second: B) -> Group<(A, B)> { Group() }
}
public struct Color: Primitive, Hashable, Sendable {
  public enum RGBColorSpace: Sendable { case sRGB }
  public let samples: [Double]
  public init(_ space: RGBColorSpace, red: Double, green: Double, blue: Double, opacity: Double = 1) { samples = [red, green, blue, opacity] }
  public static let clear = Color(.sRGB, red: 0, green: 0, blue: 0)
  public func opacity(_ opacity: Double) -> Color { Color(.sRGB, red: samples[0], green: samples[1], blue: samples[2], opacity: samples[3] * opacity) }
}
public struct Gradient: Sendable {
  public struct Stop: Sendable { let text: String; public init(color: Color, location: CGFloat) { text = "[\(location),\(color.samples)]" } }
  let text: String
  public init(stops: [Stop]) { text = "[\(stops.map(\.text).joined(separator: ","))]" }
}
public struct Path { let text: String; public init(_ rect: CGRect) { text = "[\(rect.minX),\(rect.minY),\(rect.width),\(rect.height)]" } }
public struct GraphicsContext { public init() {}
  public struct Shading { let text: String
    public static func color(_ color: Color) -> Shading { Shading(text: "[[0,\(color.samples)]]") }
    public static func radialGradient(_ gradient: Gradient, center: CGPoint, startRadius: CGFloat, endRadius: CGFloat) -> Shading { Shading(text: gradient.text) }
  }
  nonisolated(unsafe) public static var fills: [String] = []
  var (x, y, width, height): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 1, 1)
  public func fill(_ path: Path, with shading: Shading) { Self.fills.append(#"{"move":[\#(x),\#(y)],"scale":[\#(width),\#(height)],"rect":\#(path.text),"stops":\#(shading.text)}"#) }
  public mutating func translateBy(x: CGFloat, y: CGFloat) { self.x += width * x; self.y += height * y }
  public mutating func scaleBy(x: CGFloat, y: CGFloat) { width *= x; height *= y }
}
public struct Canvas: Primitive { public let renderer: (inout GraphicsContext, CGSize) -> Void
  public init(opaque: Bool = false, renderer: @escaping (inout GraphicsContext, CGSize) -> Void) { self.renderer = renderer } }
public struct Image: Primitive, Sendable {
  public enum Interpolation { case high }
  public init(decorative: CGImage, scale: CGFloat) {}
  public func resizable() -> Image { self }; public func interpolation(_ interpolation: Interpolation) -> Image { self }
}
public struct AsyncImagePhase { public let image: Image? }; public struct AsyncImage<Content: View>: Primitive { public init(url: URL?, transaction: Transaction, @ViewBuilder content: @escaping (AsyncImagePhase) -> Content) {} }
public struct Transaction { public init(animation: Animation?) {} }; public struct Animation { public static func easeIn(duration: Double) -> Animation { Animation() } }
public struct EnvironmentValues { public let accessibilityReduceMotion: Bool }
@propertyWrapper public struct Environment<Value> { public init(_ path: KeyPath<EnvironmentValues, Value>) {}; public var wrappedValue: Value { fatalError() } }
@propertyWrapper public struct State<Value> { public init(wrappedValue: Value) {}; public var wrappedValue: Value { get { fatalError() } nonmutating set {} } }
public struct Text: Primitive { public init(_ text: String) {} }
public enum ContentMode { case fit }; public enum Place { case leading, bottom }
public struct ScrollView<Content: View>: Primitive { public init(@ViewBuilder content: () -> Content) {} }
public struct VStack<Content: View>: Primitive { public init(alignment: Place, @ViewBuilder content: () -> Content) {} }
public struct ForEach<Data: RandomAccessCollection, Content: View>: Primitive where Data.Element: Identifiable { public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {} }
public struct Modified<Content: View>: Primitive { public let content: Content }
extension View {
  public func accessibilityHidden(_ isHidden: Bool) -> Modified<Self> { Modified(content: self) }; public func accessibilityLabel(_ label: String) -> Modified<Self> { Modified(content: self) }
  public func aspectRatio(_ ratio: CGFloat?, contentMode: ContentMode) -> Modified<Self> { Modified(content: self) }; public func frame(maxWidth: CGFloat? = nil, maxHeight: CGFloat? = nil) -> Modified<Self> { Modified(content: self) }
  public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> Modified<Self> { Modified(content: self) }; public func clipped() -> Modified<Self> { Modified(content: self) }
  public func defaultScrollAnchor(_ anchor: Place?) -> Modified<Self> { Modified(content: self) }; public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> Modified<Self> { Modified(content: self) }
}

// swift-format-ignore-file
import SwiftUI
public struct LazyImageState { public let image: Image? }; public struct LazyImage<Content: View>: Primitive { public init(url: URL?, @ViewBuilder content: @escaping (LazyImageState) -> Content) {} }

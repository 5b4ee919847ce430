// swift-format-ignore-file
import SwiftUI
public struct KFImage: Primitive { public init(_ url: URL?) {}; public func resizable() -> KFImage { self }; public func placeholder<Content: View>(@ViewBuilder _ content: @escaping () -> Content) -> KFImage { self } }

// swift-format-ignore-file
@_exported import SwiftUI
@MainActor open class UIImage { public init(cgImage: CGImage) {} }
@MainActor open class UIImageView { public init() {}; public var image: UIImage? }

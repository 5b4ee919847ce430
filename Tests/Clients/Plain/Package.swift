// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Plain",
  platforms: [.macOS(.v15), .iOS(.v16)],
  dependencies: [.package(name: "placeholders", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Plain",
      dependencies: [.product(name: "PlaceholderEncoding", package: "placeholders")])
  ]
)

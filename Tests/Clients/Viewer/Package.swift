// swift-tools-version: 6.0

import PackageDescription

let package = Package(
  name: "Viewer",
  platforms: [.macOS(.v15), .iOS(.v16)],
  dependencies: [.package(name: "placeholders", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Viewer",
      dependencies: [.product(name: "Placeholders", package: "placeholders")])
  ]
)

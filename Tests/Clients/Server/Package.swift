// swift-tools-version: 6.0

import PackageDescription

let package = Package(
  name: "Server",
  dependencies: [.package(name: "placeholders", path: "../../..")],
  targets: [
    .target(name: "CJPEG"),
    .target(name: "CPNG"),
    .target(name: "Files"),
    .target(name: "Records"),
    .executableTarget(
      name: "Server",
      dependencies: [
        "CJPEG", "CPNG", "Files", "Records",
        .product(name: "Placeholders", package: "placeholders"),
        .product(name: "PlaceholderEncoding", package: "placeholders"),
      ]),
  ]
)

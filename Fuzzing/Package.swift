// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "placeholders", path: "..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CLibFuzzer", .product(name: "PlaceholderEncoding", package: "placeholders"),
        .product(name: "Fuzzed", package: "placeholders"),
      ],
      swiftSettings: [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

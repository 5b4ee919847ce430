// swift-tools-version: 6.3

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let strictC: [CSetting] = [
  .enableWarning("all"),
  .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "placeholders",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Placeholders", targets: ["Placeholders"]),
    .executable(name: "lqip", targets: ["lqip"]),
  ],
  targets: [
    .systemLibrary(
      name: "CJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CEXIF", pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"]), .brew(["libexif"])]),
    .systemLibrary(
      name: "CLCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .target(name: "CImageCodecs", dependencies: ["CJPEG", "CPNG"], cSettings: strictC),
    .target(
      name: "Placeholders", dependencies: ["CImageCodecs", "CEXIF", "CLCMS"],
      swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .executableTarget(
      name: "lqip",
      dependencies: [
        "Placeholders", "CArchive", "CMicroHTTPD", "CNettle",
        .target(name: "CMalloc", condition: .when(platforms: [.linux])),
      ],
      resources: [
        .embedInCode("Gallery/gallery.css"), .embedInCode("Gallery/gallery.js"),
        .embedInCode("Server/Resources/index.html"), .embedInCode("Server/Resources/openapi.json"),
        .embedInCode("Server/Resources/page.css"), .embedInCode("Server/Resources/page.js"),
      ],
      swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["Placeholders"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "PlaceholdersTests", dependencies: ["Placeholders", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "lqipTests", dependencies: ["lqip", "Placeholders", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BrowserTests", dependencies: ["lqip", "Placeholders", "TestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

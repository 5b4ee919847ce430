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

/// The description of a module, in its folder.
let readMe = "README.md"

/// A C library that `PlaceholderEncoding` links.
func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])])
}

/// ISA-L, which inflates PNG data faster than zlib on these architectures.
#if arch(x86_64) || arch(arm64)
let inflaters = [
  library("CPlaceholderISAL", pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l")
]
#else
let inflaters: [Target] = []
#endif

/// A codec library that is loaded on demand on Linux.
///
/// It is loaded when the first image of its format is read, so that it does not slow down the start.
func loadedLibrary(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  #if os(Linux)
  // With `pkgConfig`, SwiftPM would link the library.
  .systemLibrary(name: name, path: "Sources/System/\(name)", providers: [.apt([apt])])
  #else
  library(name, pkgConfig: pkgConfig, apt: apt, brew: brew)
  #endif
}

/// A C library that only the program uses.
///
/// It has no `pkgConfig`, because SwiftPM queries pkg-config for every target in a package graph: clients of
/// the other products would see warnings about libraries that they do not need.
func programLibrary(_ name: String) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)")
}

/// A C library that only the program uses, loaded on demand on Linux.
func loadedProgramLibrary(_ name: String, library: String) -> Target {
  .target(
    name: name, dependencies: ["CPlaceholderCodecs"], path: "Sources/System/\(name)",
    cSettings: strictC, linkerSettings: [.linkedLibrary(library, .when(platforms: [.macOS]))])
}

/// A module of the program, in the folder `name` of `Sources/lqip`.
///
/// The prefix keeps the target's name unique in the package graphs of clients.
func module(
  _ name: String, on dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .target(
    name: "Lqip\(name)", dependencies: dependencies, path: "Sources/lqip/\(name)",
    exclude: [readMe], resources: resources, swiftSettings: strict)
}

func tests(of name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "PlaceholdersTestSupport"] + dependencies,
    swiftSettings: strict)
}

/// A product for the package in `Fuzzing` only.
let fuzzed: [Product] =
  Context.environment["LQIP_FUZZING"] == nil
  ? []
  : [
    .library(
      name: "Fuzzed", targets: ["LqipOptions", "LqipPages", "LqipRecords", "LqipSystem"])
  ]

let package = Package(
  name: "placeholders",
  platforms: [.macOS(.v15), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Placeholders", targets: ["Placeholders"]),
    .library(
      name: "PlaceholderEncoding", targets: ["PlaceholderEncoding", "PlaceholderFoundation"]),
    .library(name: "PlaceholderViews", targets: ["PlaceholderViews"]),
    .executable(name: "lqip", targets: ["lqip"]),
  ] + fuzzed,
  traits: [
    .trait(name: "WebP", description: "Read WebP images and write WebP previews, through libwebp."),
    .trait(name: "GIF", description: "Read GIF images, through giflib."),
    .trait(name: "AVIF", description: "Read AVIF images, through dav1d."),
    .trait(name: "HEIC", description: "Read HEIC images, through libde265."),
    .default(enabledTraits: ["WebP", "GIF", "AVIF", "HEIC"]),
  ],
  targets: inflaters + [
    .target(
      name: "Placeholders", exclude: [readMe], swiftSettings: strict,
      // On processors without a rounding instruction, rounding calls a function of libm.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),

    // Empty where SwiftUI does not exist.
    .target(
      name: "PlaceholderViews", dependencies: ["Placeholders"], exclude: [readMe],
      swiftSettings: strict),

    library("CPlaceholderJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
    library("CPlaceholderPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    library("CPlaceholderLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
    library("CPlaceholderWebP", pkgConfig: "libwebpdemux", apt: "libwebp-dev", brew: "webp"),
    library("CPlaceholderGIF", pkgConfig: "libgif", apt: "libgif-dev", brew: "giflib"),
    loadedLibrary("CPlaceholderAV1", pkgConfig: "dav1d", apt: "libdav1d-dev", brew: "dav1d"),
    loadedLibrary("CPlaceholderHEVC", pkgConfig: "libde265", apt: "libde265-dev", brew: "libde265"),
    .target(
      name: "CPlaceholderCodecs",
      dependencies: [
        "CPlaceholderJPEG", "CPlaceholderPNG",
        .target(name: "CPlaceholderWebP", condition: .when(traits: ["WebP"])),
        .target(name: "CPlaceholderGIF", condition: .when(traits: ["GIF"])),
        .target(name: "CPlaceholderAV1", condition: .when(traits: ["AVIF"])),
        .target(name: "CPlaceholderHEVC", condition: .when(traits: ["HEIC"])),
      ] + inflaters.map { .target(name: $0.name) },
      exclude: [readMe],
      cSettings: strictC + [
        .define("HAS_WEBP", .when(traits: ["WebP"])), .define("HAS_GIF", .when(traits: ["GIF"])),
        .define("HAS_AVIF", .when(traits: ["AVIF"])), .define("HAS_HEIC", .when(traits: ["HEIC"])),
      ]
        + (inflaters.isEmpty ? [] : [.define("HAS_ISAL")]),
      linkerSettings: [
        .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("z"),
        .linkedLibrary("webp", .when(traits: ["WebP"])),
        .linkedLibrary("webpdemux", .when(traits: ["WebP"])),
        .linkedLibrary("gif", .when(traits: ["GIF"])),
      ]
        + inflaters.map { _ in .linkedLibrary("isal") }),
    .target(
      name: "PlaceholderEncoding",
      dependencies: ["Placeholders", "CPlaceholderCodecs", "CPlaceholderLCMS"],
      exclude: [readMe],
      swiftSettings: strict),

    // Part of the product, so that errors have their Foundation descriptions without an import of the module.
    .target(
      name: "PlaceholderFoundation", dependencies: ["PlaceholderEncoding", "Placeholders"],
      swiftSettings: strict),

    programLibrary("CLqipLinux"),
    programLibrary("CLqipNettle"),
    loadedProgramLibrary("CLqipArchive", library: "archive"),
    loadedProgramLibrary("CLqipGumbo", library: "gumbo"),
    loadedProgramLibrary("CLqipMicroHTTPD", library: "microhttpd"),
    .target(
      name: "CLqipProcess", path: "Sources/System/CLqipProcess", cSettings: strictC),
    .target(
      name: "CLqipStartup", path: "Sources/System/CLqipStartup", cSettings: strictC),
    .target(
      name: "CLqipEncoderModule", path: "Sources/System/CLqipEncoderModule", cSettings: strictC),
    module(
      "System",
      on: [
        "CLqipArchive", "CLqipNettle", "CLqipProcess", "Placeholders",
        .target(name: "CLqipLinux", condition: .when(platforms: [.linux])),
      ]),
    module("Records", on: ["LqipSystem", "PlaceholderEncoding"]),
    module("Pages", on: ["CLqipGumbo", "LqipSystem"]),
    module("Options", on: ["CLqipStartup", "LqipRecords", "LqipSystem", "PlaceholderEncoding"]),
    module(
      "Service",
      on: [
        "CLqipEncoderModule", "CLqipMicroHTTPD", "LqipOptions", "LqipRecords", "LqipSystem",
        "PlaceholderEncoding",
      ],
      resources: [
        .embedInCode("Resources/base.css"), .embedInCode("Resources/blurhash.js"),
        .embedInCode("Resources/cosines.js"), .embedInCode("Resources/encode.js"),
        .embedInCode("Resources/files.js"), .embedInCode("Resources/index.html"),
        .embedInCode("Resources/item.js"), .embedInCode("Resources/local.js"),
        .embedInCode("Resources/openapi.json"), .embedInCode("Resources/page.css"),
        .embedInCode("Resources/page.js"), .embedInCode("Resources/picture.js"),
        .embedInCode("Resources/pixels.js"), .embedInCode("Resources/png.js"),
        .embedInCode("Resources/service.js"), .embedInCode("Resources/thumbhash.js"),
        .embedInCode("Resources/worker.js"), .embedInCode("Resources/samples/fruit.jpg"),
        .embedInCode("Resources/samples/mountains.jpg"),
        .embedInCode("Resources/samples/portrait.jpg"),
        .embedInCode("Resources/samples/room.jpg"), .embedInCode("Resources/samples/street.jpg"),
      ]),
    .executableTarget(
      name: "lqip",
      dependencies: [
        "LqipOptions", "LqipPages", "LqipRecords", "LqipService", "LqipSystem",
        "PlaceholderEncoding",
      ],
      path: "Sources/lqip/Program",
      exclude: [readMe],
      resources: [
        .embedInCode("Command/Gallery/gallery.css"), .embedInCode("Command/Gallery/gallery.js"),
      ],
      swiftSettings: strict),

    .target(
      name: "PlaceholdersTestSupport", dependencies: ["PlaceholderEncoding"],
      path: "Tests/PlaceholdersTestSupport", swiftSettings: strict),
    .target(
      name: "LqipTestSupport",
      dependencies: ["LqipSystem", "PlaceholdersTestSupport", "lqip"],
      path: "Tests/LqipTestSupport", swiftSettings: strict),
    tests(of: "Placeholders", on: ["PlaceholderEncoding"]),
    tests(of: "PlaceholderEncoding", on: ["PlaceholderFoundation"]),
    tests(of: "LqipSystem", on: ["LqipTestSupport"]),
    tests(of: "LqipRecords", on: ["LqipTestSupport"]),
    tests(of: "LqipPages", on: ["LqipTestSupport"]),
    tests(of: "LqipService", on: ["LqipTestSupport"]),
    tests(of: "lqip", on: ["LqipTestSupport"]),
    .testTarget(
      name: "RepositoryTests", dependencies: ["LqipTestSupport", "PlaceholdersTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BrowserTests", dependencies: ["LqipTestSupport", "PlaceholdersTestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

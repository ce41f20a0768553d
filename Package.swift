// swift-tools-version: 6.2
import PackageDescription

/// Every target obeys these: strict memory safety keeps `unsafe` greppable, and warnings never pile up.
let rules: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Targets stand bottom-up: each imports only targets above it.
let package = Package(
  name: "matinee",
  targets: [
    // Values only: no clock, no I/O, no Foundation.
    .target(name: "Vocabulary", swiftSettings: rules),
    .target(name: "Wire", dependencies: ["Vocabulary"], swiftSettings: rules),

    // Shells: confined to one loop's thread.
    .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .target(name: "EventLoops", dependencies: ["Vocabulary", "CLibuv"], swiftSettings: rules),
    .target(
      name: "Transports", dependencies: ["Vocabulary", "Wire", "EventLoops"], swiftSettings: rules),

    // The yardstick of the benchmarks: a relay in plain C on plain libuv.
    .executableTarget(name: "bare-relay", dependencies: ["CLibuv"], path: "Sources/BareRelay"),
    // The same relay on our connections, to be measured against it.
    .executableTarget(
      name: "line-relay", dependencies: ["Vocabulary", "EventLoops", "Transports"],
      path: "Sources/LineRelay", swiftSettings: rules),

    .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary"], swiftSettings: rules),
    .testTarget(name: "WireTests", dependencies: ["Wire"], swiftSettings: rules),
    .target(
      name: "LoopTesting", dependencies: ["Vocabulary", "EventLoops"], path: "Tests/LoopTesting",
      swiftSettings: rules),
    .testTarget(
      name: "EventLoopsTests", dependencies: ["Vocabulary", "EventLoops", "LoopTesting"],
      swiftSettings: rules),
    .testTarget(
      name: "TransportsTests",
      dependencies: ["Vocabulary", "EventLoops", "Transports", "LoopTesting"],
      swiftSettings: rules),
  ],
  cxxLanguageStandard: .cxx17
)

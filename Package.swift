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
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0")
  ],
  targets: [
    // Values only: no clock, no I/O, no Foundation.
    .target(name: "Vocabulary", swiftSettings: rules),
    .target(name: "Playback", dependencies: ["Vocabulary"], swiftSettings: rules),
    .target(
      name: "GroupSessions", dependencies: ["Playback", "Vocabulary"], swiftSettings: rules),

    .target(
      name: "Wire", dependencies: ["GroupSessions", "Playback", "Vocabulary"],
      swiftSettings: rules),
    .target(
      name: "Coordination",
      dependencies: [
        "GroupSessions", "Playback", "Vocabulary", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: rules),

    .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary"], swiftSettings: rules),
    .testTarget(
      name: "PlaybackTests", dependencies: ["Playback", "Vocabulary"], swiftSettings: rules),
  ],
  cxxLanguageStandard: .cxx17
)

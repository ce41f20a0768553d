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
    .target(name: "Playback", dependencies: ["Vocabulary"], swiftSettings: rules),
    .target(name: "Participation", dependencies: ["Vocabulary", "Playback"], swiftSettings: rules),

    .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary"], swiftSettings: rules),
    .testTarget(
      name: "PlaybackTests", dependencies: ["Vocabulary", "Playback"], swiftSettings: rules),
    .testTarget(
      name: "ParticipationTests", dependencies: ["Vocabulary", "Playback", "Participation"],
      swiftSettings: rules),
  ],
  cxxLanguageStandard: .cxx17
)

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

    // JSON text to views and back, for every protocol that speaks it.
    .target(
      name: "CSimdjson",
      cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("m")]),
    .target(
      name: "JSON",
      dependencies: ["CSimdjson", "Vocabulary"],
      swiftSettings: rules + [.enableExperimentalFeature("Lifetimes")]),

    .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary"], swiftSettings: rules),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "Vocabulary"], swiftSettings: rules),
  ],
  cxxLanguageStandard: .cxx17
)

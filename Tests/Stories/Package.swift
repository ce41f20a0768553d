// swift-tools-version: 6.2
import PackageDescription

/// Every target obeys these.
let rules: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// Apps as their authors write them: they depend on Matinee from outside, by its products alone.
let package = Package(
  name: "stories",
  dependencies: [.package(name: "matinee", path: "../..")],
  targets: [
    .target(
      name: "Stories", dependencies: [.product(name: "MatineeClient", package: "matinee")],
      swiftSettings: rules),
    .target(
      name: "TerminalStory",
      dependencies: [
        .product(name: "MatineeClient", package: "matinee"),
        .product(name: "MatineeTerminal", package: "matinee"),
      ], swiftSettings: rules),
    .testTarget(
      name: "StoriesTests", dependencies: ["Stories", "TerminalStory"], swiftSettings: rules),
  ])

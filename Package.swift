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

/// Whether the package is built for `scripts/fuzz`: all code reports to libFuzzer what it runs, and
/// there is one more program, which only links with libFuzzer.
let isForFuzzing = Context.environment["MATINEE_FUZZ"] != nil

/// The rooms that read JSON hold views that cannot outlive their line.
let lifetimes: SwiftSetting = .enableExperimentalFeature("Lifetimes")

/// Targets stand bottom-up: each imports only targets above it.
let package = Package(
  name: "matinee",
  products: [
    .library(
      name: "MatineeClient",
      targets: [
        "GroupSessions", "InAppMessaging", "MatineeClient", "Playback", "UserNotifications",
        "Vocabulary",
      ]),
    .library(name: "MatineeTerminal", targets: ["MatineeTerminal"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Values only: no clock, no I/O, no Foundation.
    .target(
      name: "Vocabulary",
      dependencies: [.product(name: "HeapModule", package: "swift-collections")],
      swiftSettings: rules),
    .target(name: "Playback", dependencies: ["Vocabulary"], swiftSettings: rules),
    .target(
      name: "GroupSessions", dependencies: ["Playback", "Vocabulary"], swiftSettings: rules),

    // Hashes, keys and signatures, by OpenSSL.
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "Cryptography", dependencies: ["CLibcrypto"], swiftSettings: rules),

    // Texts as QR codes, by libqrencode.
    .systemLibrary(
      name: "CLibqrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .target(name: "QRCodes", dependencies: ["CLibqrencode"], swiftSettings: rules),

    .target(name: "WebAddresses", swiftSettings: rules),
    // Requests and answers as bytes, by llhttp, whose sources Debian ships.
    .target(name: "CLLHTTP", cSettings: [.define("LLHTTP_STRICT_MODE", to: "1")]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "HTTP",
      dependencies: ["CLLHTTP", "CZlib", "Cryptography", "Vocabulary", "WebAddresses"],
      swiftSettings: rules),

    .target(
      name: "InAppMessaging", dependencies: ["Vocabulary", "WebAddresses"], swiftSettings: rules),
    .target(name: "UserNotifications", dependencies: ["Vocabulary"], swiftSettings: rules),

    // JSON text to views and back, for every protocol that speaks it.
    .target(
      name: "CSimdjson",
      cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("m")]),
    .target(
      name: "JSON", dependencies: ["CSimdjson", "Vocabulary"],
      swiftSettings: rules + [lifetimes]),

    .target(
      name: "Signatures", dependencies: ["Cryptography", "JSON", "Vocabulary", "WebAddresses"],
      swiftSettings: rules + [lifetimes]),

    // What is said on the wire, and the two ends of it as values.
    .target(
      name: "Wire",
      dependencies: [
        "GroupSessions", "InAppMessaging", "JSON", "Playback", "UserNotifications", "Vocabulary",
      ],
      swiftSettings: rules + [lifetimes]),
    .target(
      name: "Syncplay",
      dependencies: [
        "Cryptography", "GroupSessions", "JSON", "Playback", "Signatures", "Vocabulary",
        "WebAddresses", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: rules + [lifetimes]),
    .target(
      name: "Coordination",
      dependencies: [
        "GroupSessions", "InAppMessaging", "Playback", "Signatures", "UserNotifications",
        "Vocabulary", "WebAddresses", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: rules),
    .target(
      name: "Clusters", dependencies: ["Coordination", "Vocabulary", "Wire"],
      swiftSettings: rules + [lifetimes]),
    .target(
      name: "Participation",
      dependencies: [
        "GroupSessions", "InAppMessaging", "Playback", "UserNotifications", "Vocabulary", "Wire",
      ],
      swiftSettings: rules),

    // Files that people write, as nodes that know where they stand.
    .target(
      name: "YAML", dependencies: [.product(name: "Yams", package: "Yams")], swiftSettings: rules),

    // What a server says to whom: campaigns, read from files.
    .target(
      name: "CampaignFiles",
      dependencies: ["InAppMessaging", "Vocabulary", "WebAddresses", "YAML"],
      resources: [.embedInCode("Shipped")], swiftSettings: rules),

    // Scripted demonstrations: the same scenario on every stage; this one is in virtual time.
    .target(
      name: "Scenarios",
      dependencies: [
        "CampaignFiles", "GroupSessions", "InAppMessaging", "Participation", "Playback",
        "UserNotifications", "Vocabulary", "Wire", "YAML",
      ],
      swiftSettings: rules),
    .target(
      name: "Demonstrations", dependencies: ["Scenarios", "YAML"],
      resources: [.embedInCode("Files")],
      swiftSettings: rules),
    .target(
      name: "Simulation",
      dependencies: [
        "Clusters", "Coordination", "GroupSessions", "InAppMessaging", "Participation", "Scenarios",
        "Signatures", "UserNotifications", "Vocabulary", "Wire",
      ],
      swiftSettings: rules),

    // Shells: confined to one loop's thread.
    .target(name: "SystemLibrary", swiftSettings: rules),
    .systemLibrary(
      name: "CLibuv", pkgConfig: "libuv",
      providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
    .systemLibrary(
      name: "CLibssl", pkgConfig: "libssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "TLS", dependencies: ["CLibssl"], swiftSettings: rules),
    .target(
      name: "EventLoops", dependencies: ["CLibuv", "SystemLibrary", "TLS", "Vocabulary"],
      swiftSettings: rules),
    // WebSocket as bytes and texts, by wslay.
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"]), .brew(["wslay"])]),
    .target(
      name: "WebSocket", dependencies: ["CWslay", "Cryptography", "HTTP", "Vocabulary"],
      swiftSettings: rules),
    // The page for browsers.
    .target(name: "CWebClient"),
    .target(
      name: "WebClient", dependencies: ["CWebClient"], exclude: ["Site", "package.json"],
      swiftSettings: rules),
    .target(
      name: "Transports",
      dependencies: [
        "EventLoops", "HTTP", "TLS", "Vocabulary", "WebSocket", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: rules),
    .target(
      name: "Players",
      dependencies: ["EventLoops", "JSON", "Participation", "Vocabulary", "Wire"],
      swiftSettings: rules + [lifetimes]),
    // Statements for a PostgreSQL server, by libpq.
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "PostgreSQL", dependencies: ["CLibpq", "EventLoops"], swiftSettings: rules),
    .target(
      name: "Journals",
      dependencies: [
        "Clusters", "Coordination", "EventLoops", "GroupSessions", "InAppMessaging", "JSON",
        "PostgreSQL", "Signatures", "UserNotifications", "Vocabulary", "Wire",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: rules + [lifetimes]),
    // Requests to other servers, by libcurl.
    .systemLibrary(
      name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "HTTPRequests",
      dependencies: ["CLibcurl", "EventLoops", "SystemLibrary", "Vocabulary"],
      swiftSettings: rules),
    // Push services, for people whose clients are not connected; off the server's thread.
    .target(
      name: "PushTransports",
      dependencies: [
        "Cryptography", "EventLoops", "HTTPRequests", "JSON", "Vocabulary", "WebAddresses",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: rules + [lifetimes]),

    .target(
      name: "Server",
      dependencies: [
        "Clusters", "Coordination", "EventLoops", "GroupSessions", "InAppMessaging", "JSON",
        "Journals",
        "HTTP", "PushTransports", "Signatures", "Syncplay", "TLS", "Transports",
        "UserNotifications", "Vocabulary", "WebAddresses", "WebClient", "WebSocket", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: rules),

    // The public library.
    .target(
      name: "MatineeClient",
      dependencies: [
        "EventLoops", "GroupSessions", "InAppMessaging", "Participation", "Playback", "Players",
        "TLS", "Transports", "UserNotifications", "Vocabulary", "WebAddresses", "Wire",
      ],
      swiftSettings: rules),

    // Messages on a terminal, for `join` and for apps without windows.
    .target(
      name: "MatineeTerminal",
      dependencies: ["EventLoops", "InAppMessaging", "MatineeClient", "UserNotifications"],
      swiftSettings: rules),

    // The other stage: processes, sockets, players and real time.
    .target(
      name: "Stages",
      dependencies: [
        "CampaignFiles", "EventLoops", "Journals", "MatineeClient", "Participation", "Playback",
        "Players", "PostgreSQL", "Scenarios", "TLS", "UserNotifications", "Vocabulary",
      ],
      resources: [.embedInCode("database_server.sh")], swiftSettings: rules),

    // Debian's own Syncplay, server and clients, beside Matinee's.
    .target(
      name: "SyncplayComparison",
      dependencies: [
        "EventLoops", "JSON", "Players", "Scenarios", "Stages", "Vocabulary", "Wire",
      ],
      swiftSettings: rules + [lifetimes]),

    // The command line.
    .executableTarget(
      name: "matinee",
      dependencies: [
        "CampaignFiles", "Clusters", "Coordination", "Cryptography", "Demonstrations", "EventLoops",
        "GroupSessions", "InAppMessaging", "JSON", "Journals", "MatineeClient", "MatineeTerminal",
        "Participation", "Playback", "Players", "PostgreSQL", "PushTransports", "QRCodes",
        "Scenarios", "Server", "Signatures",
        "Simulation", "Stages", "Syncplay", "TLS", "Transports",
        "UserNotifications", "Vocabulary", "WebAddresses", "Wire", "YAML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: rules),

    // The benchmarks, and the yardsticks: a relay and a server of States in plain C on plain libuv.
    .executableTarget(name: "bare-relay", dependencies: ["CLibuv"], path: "Sources/BareRelay"),
    .executableTarget(name: "bare-states", dependencies: ["CLibuv"], path: "Sources/BareStates"),
    .executableTarget(
      name: "matinee-bench",
      dependencies: [
        "Coordination", "EventLoops", "GroupSessions", "InAppMessaging", "JSON", "Journals",
        "Playback", "Signatures", "Stages", "SyncplayComparison", "TLS", "Vocabulary", "Wire",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Bench", swiftSettings: rules),

    // Tests, one target a room.
    .testTarget(name: "HouseTests", swiftSettings: rules),
    .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary"], swiftSettings: rules),
    .testTarget(
      name: "PlaybackTests", dependencies: ["Playback", "Vocabulary"], swiftSettings: rules),
    .target(
      name: "Naming", dependencies: ["Vocabulary"], path: "Tests/Naming", swiftSettings: rules),
    .testTarget(
      name: "GroupSessionsTests",
      dependencies: ["GroupSessions", "Naming", "Playback", "Vocabulary"], swiftSettings: rules),
    .target(name: "ArticleReading", path: "Tests/ArticleReading", swiftSettings: rules),
    .target(name: "TranscriptReading", path: "Tests/TranscriptReading", swiftSettings: rules),
    .testTarget(
      name: "InAppMessagingTests",
      dependencies: [
        "ArticleReading", "InAppMessaging", "JSON", "Naming", "TranscriptReading", "Vocabulary",
        "Wire",
      ],
      swiftSettings: rules),
    .target(name: "KeyTesting", path: "Tests/KeyTesting", swiftSettings: rules),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "KeyTesting", "Vocabulary"],
      swiftSettings: rules),
    .testTarget(
      name: "QRCodesTests",
      dependencies: ["EventLoops", "FolderTesting", "LoopTesting", "ProgramTesting", "QRCodes"],
      swiftSettings: rules),
    .testTarget(
      name: "HTTPTests", dependencies: ["CZlib", "HTTP", "Vocabulary"], swiftSettings: rules),
    .testTarget(name: "WebAddressesTests", dependencies: ["WebAddresses"], swiftSettings: rules),
    .testTarget(
      name: "UserNotificationsTests",
      dependencies: ["ArticleReading", "Naming", "UserNotifications", "Vocabulary"],
      swiftSettings: rules),
    .testTarget(
      name: "SignaturesTests",
      dependencies: ["Cryptography", "KeyTesting", "Signatures", "Vocabulary"], swiftSettings: rules
    ),
    .target(name: "ProtocolReading", path: "Tests/ProtocolReading", swiftSettings: rules),
    .target(
      name: "RightsTesting",
      dependencies: [
        "GroupSessions", "InAppMessaging", "Naming", "Playback", "ProtocolReading",
        "UserNotifications", "Vocabulary", "Wire",
      ],
      path: "Tests/RightsTesting", swiftSettings: rules),
    .testTarget(
      name: "CoordinationTests",
      dependencies: [
        "Coordination", "GroupSessions", "InAppMessaging", "Naming", "Playback",
        "ProtocolReading", "RightsTesting", "Signatures", "UserNotifications", "Vocabulary", "Wire",
      ],
      swiftSettings: rules),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "Vocabulary"], swiftSettings: rules),
    .target(
      name: "WireTesting",
      dependencies: [
        "GroupSessions", "InAppMessaging", "Naming", "Playback", "UserNotifications", "Vocabulary",
        "Wire",
      ],
      path: "Tests/WireTesting", swiftSettings: rules),
    .testTarget(
      name: "WireTests",
      dependencies: [
        "GroupSessions", "InAppMessaging", "JSON", "Naming", "Playback", "ProtocolReading",
        "UserNotifications", "Vocabulary", "Wire", "WireTesting",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "ParticipationTests",
      dependencies: [
        "Coordination", "GroupSessions", "InAppMessaging", "JSON", "Participation", "Playback",
        "Signatures", "TranscriptReading", "UserNotifications", "Vocabulary", "Wire",
      ],
      swiftSettings: rules),
    .target(
      name: "LoopTesting", dependencies: ["EventLoops", "TLS", "Vocabulary"],
      path: "Tests/LoopTesting",
      swiftSettings: rules),
    .target(
      name: "SyncplayTesting",
      dependencies: ["EventLoops", "JSON", "LoopTesting", "Syncplay", "Vocabulary", "Wire"],
      path: "Tests/SyncplayTesting", swiftSettings: rules + [lifetimes]),
    .testTarget(
      name: "SyncplayTests",
      dependencies: [
        "Coordination", "GroupSessions", "JSON", "Naming", "Playback", "Signatures", "Syncplay",
        "SyncplayTesting", "Vocabulary", "Wire",
      ],
      swiftSettings: rules + [lifetimes]),
    .testTarget(name: "TLSTests", dependencies: ["TLS"], swiftSettings: rules),
    .testTarget(
      name: "EventLoopsTests", dependencies: ["EventLoops", "LoopTesting", "TLS", "Vocabulary"],
      swiftSettings: rules),
    .target(
      name: "ClipTesting", dependencies: ["EventLoops", "LoopTesting"],
      path: "Tests/ClipTesting", swiftSettings: rules),
    .testTarget(
      name: "PlayersTests",
      dependencies: [
        "ClipTesting", "EventLoops", "JSON", "LoopTesting", "Participation", "Players",
        "Vocabulary",
      ],
      swiftSettings: rules + [lifetimes]),
    .testTarget(
      name: "TransportsTests",
      dependencies: [
        "EventLoops", "HTTP", "LoopTesting", "Transports", "Vocabulary", "Wire",
      ],
      swiftSettings: rules),
    .target(
      name: "WebSocketTesting", path: "Tests/WebSocketTesting", swiftSettings: rules),
    .testTarget(
      name: "WebSocketTests", dependencies: ["HTTP", "WebSocket", "WebSocketTesting"],
      swiftSettings: rules),
    .testTarget(
      name: "WebClientTests", dependencies: ["WebClient"], swiftSettings: rules),
    .target(
      name: "DatabaseTesting", dependencies: ["Stages"], path: "Tests/DatabaseTesting",
      swiftSettings: rules),
    .testTarget(
      name: "PostgreSQLTests", dependencies: ["DatabaseTesting", "PostgreSQL"],
      swiftSettings: rules),
    .testTarget(
      name: "JournalsTests",
      dependencies: [
        "Clusters", "Coordination", "DatabaseTesting", "EventLoops", "FolderTesting",
        "GroupSessions",
        "InAppMessaging", "JSON",
        "Journals", "LoopTesting", "Naming", "Playback", "PostgreSQL", "Signatures",
        "UserNotifications",
        "Vocabulary", "Wire", "WireTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Golden"], swiftSettings: rules + [lifetimes]),
    .target(
      name: "PushTesting",
      dependencies: ["Cryptography", "EventLoops", "PushTransports", "Vocabulary"],
      path: "Tests/PushTesting", resources: [.embedInCode("push_service.py")],
      swiftSettings: rules),
    .testTarget(
      name: "HTTPRequestsTests",
      dependencies: ["EventLoops", "HTTPRequests", "PushTesting"],
      swiftSettings: rules),
    .testTarget(
      name: "PushTransportsTests",
      dependencies: [
        "Cryptography", "EventLoops", "KeyTesting", "PushTesting", "PushTransports", "Vocabulary",
      ],
      swiftSettings: rules),
    .target(
      name: "ProgramTesting", dependencies: ["EventLoops", "FolderTesting", "LoopTesting"],
      path: "Tests/ProgramTesting", resources: [.embedInCode("hanging_disk.py")],
      swiftSettings: rules),
    .target(
      name: "Fuzzing",
      dependencies: [
        "Coordination", "Cryptography", "HTTP", "JSON", "Journals", "MatineeClient",
        "ProtocolReading", "Signatures", "Syncplay", "TLS", "Vocabulary", "WebSocket", "Wire",
      ],
      path: "Tests/Fuzzing", swiftSettings: rules + [lifetimes]),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing"], swiftSettings: rules),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Clusters", "Coordination", "EventLoops", "JSON", "Journals", "LoopTesting", "Naming",
        "ProgramTesting", "PushTesting",
        "PushTransports", "Server", "Stages", "Syncplay", "SyncplayTesting", "TLS",
        "Transports", "UserNotifications", "Vocabulary", "Wire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: rules),
    .testTarget(
      name: "MatineeTerminalTests",
      dependencies: [
        "CampaignFiles", "InAppMessaging", "MatineeClient", "MatineeTerminal", "Naming",
        "Vocabulary",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "MatineeTests",
      dependencies: [
        "EventLoops", "FolderTesting", "GroupSessions", "InAppMessaging", "Journals", "LoopTesting",
        "MatineeClient", "MatineeTerminal", "Naming", "Participation", "Playback", "PushTransports",
        "QRCodes", "Scenarios", "Server", "Signatures", "Stages", "UserNotifications", "Vocabulary",
        "Wire",
        "YAML", "matinee",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: rules),
    .target(name: "FolderTesting", path: "Tests/FolderTesting", swiftSettings: rules),
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "ClipTesting", "Coordination", "DatabaseTesting", "EventLoops", "FolderTesting", "Fuzzing",
        "GroupSessions", "Journals",
        "KeyTesting", "LoopTesting", "MatineeTerminal", "Naming", "Playback", "ProgramTesting",
        "PushTesting", "PushTransports", "RightsTesting", "Signatures", "Stages", "Syncplay",
        "SyncplayTesting", "TLS", "Vocabulary", "WebSocketTesting", "Wire", "matinee",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "DatabaseTesting", "EventLoops", "FolderTesting", "GroupSessions", "LoopTesting",
        "MatineeClient",
        "Participation", "Playback", "Players", "ProgramTesting", "Scenarios", "Stages",
        "UserNotifications", "Vocabulary", "Wire", "matinee",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "MatineeClientTests",
      dependencies: [
        "Coordination", "EventLoops", "FolderTesting", "GroupSessions", "InAppMessaging",
        "LoopTesting", "MatineeClient", "MatineeTerminal", "Participation", "Playback", "Players",
        "Scenarios", "Server", "Signatures", "Stages", "UserNotifications", "Vocabulary", "Wire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: rules),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "CampaignFiles", "GroupSessions", "InAppMessaging", "Playback", "Scenarios",
        "UserNotifications", "Vocabulary", "YAML",
      ],
      swiftSettings: rules),
    .testTarget(name: "YAMLTests", dependencies: ["YAML"], swiftSettings: rules),
    .testTarget(
      name: "CampaignFilesTests",
      dependencies: [
        "CampaignFiles", "FolderTesting", "InAppMessaging", "Naming", "Vocabulary", "YAML",
      ],
      exclude: ["Golden"], swiftSettings: rules),
    .testTarget(
      name: "ClustersTests",
      dependencies: ["Clusters", "Coordination", "Naming", "Vocabulary", "Wire", "WireTesting"],
      swiftSettings: rules),
    .target(
      name: "ClusterTesting",
      dependencies: [
        "GroupSessions", "Participation", "Playback", "Simulation", "UserNotifications",
        "Vocabulary", "Wire",
      ],
      path: "Tests/ClusterTesting", swiftSettings: rules),
    .executableTarget(
      name: "matinee-simulate",
      dependencies: [
        "ClusterTesting", "Vocabulary",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Simulate", swiftSettings: rules),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "ClusterTesting",
        "Coordination", "Demonstrations", "Scenarios", "Signatures", "Simulation", "Vocabulary",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "StagesTests",
      dependencies: [
        "EventLoops", "LoopTesting", "Players", "Scenarios", "Stages", "Vocabulary",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "SyncplayComparisonTests",
      dependencies: [
        "ClipTesting", "EventLoops", "FolderTesting", "LoopTesting", "ProgramTesting", "Scenarios",
        "SyncplayComparison", "Vocabulary", "matinee",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "DemoTests",
      dependencies: [
        "Demonstrations", "EventLoops", "FolderTesting", "LoopTesting", "ProgramTesting",
        "Scenarios", "Stages", "Vocabulary", "matinee",
      ],
      swiftSettings: rules),
  ],
  cxxLanguageStandard: .cxx17
)

if isForFuzzing {
  // Only this package's own targets, because its dependencies are not what is tried here. OpenSSL
  // and simdjson are not either.
  for target in package.targets where target.type == .regular {
    target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer", "-assert-config", "Debug"]))
  }
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
    .executableTarget(
      name: "matinee-fuzz", dependencies: ["CLibFuzzer", "Fuzzing"], path: "Tests/FuzzDriver",
      swiftSettings: rules,
      // The default linker, gold, refuses the second `main` that libFuzzer brings.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
}

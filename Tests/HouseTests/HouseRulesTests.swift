import Testing

/// The project's rules that the compiler does not check.
@Suite struct HouseRulesTests {
  static let pureRooms: Set = [
    "Vocabulary", "Playback", "GroupSessions", "WebAddresses", "InAppMessaging",
    "Signatures", "UserNotifications", "Wire", "Syncplay", "Coordination", "Clusters",
    "Participation",
  ]
  /// The rooms with pointers: the loop, the parser's memory, OpenSSL's keys, libqrencode's modules,
  /// libcurl's transfers, llhttp's callbacks, wslay's frames, and the yardsticks written in C.
  static let roomsWithPointers: Set = [
    "EventLoops", "JSON", "Cryptography", "QRCodes", "HTTPRequests", "SystemLibrary", "CLibuv",
    "CSimdjson",
    "CLibcrypto", "CLibqrencode", "CLibcurl", "CLibpq",
    "PostgreSQL", "CLibssl", "TLS",
    "CLLHTTP", "CZlib", "HTTP", "CWslay", "WebSocket", "CWebClient", "WebClient", "BareRelay",
    "BareStates",
  ]
  /// The maximum number of lines per file; a longer file holds more than one idea.
  static let longestFile = 400

  let sources: SourceTree

  init() throws {
    sources = try SourceTree("Sources")
  }

  @Test func `there is something to check`() {
    #expect(sources.files.count > 80)
    #expect(Self.pureRooms.isSubset(of: sources.files.map(\.room)))
  }

  /// Patterns of code that would make a pure room impure.
  static let impurities = [
    "imports":
      #"\bimport (Foundation\w*|Glibc|SystemLibrary|Dispatch|Synchronization|CLib\w+|TLS)\b"#,
    "clocks and tasks": #"(^|[^\w.])(Task|ContinuousClock|SuspendingClock|Date)\b(\.|\(|\s*\{ )"#,
    "concurrency": #"\b(async|await)\b|\bactor [A-Z]"#,
    // In quotes it is a field's name.
    "reference types": #"\bclass\b(?!")|\bManagedBuffer\b"#,
    "chance": #"SystemRandomNumberGenerator"#,
  ]

  @Test(arguments: impurities.keys.sorted())
  func `pure rooms know no clock, no thread and no chance`(what: String) throws {
    let pattern = try #require(Self.impurities[what])
    let places = try sources.places(of: pattern) { Self.pureRooms.contains($0.room) }
    #expect(places == [])
  }

  @Test func `unsafe stands only where pointers are`() throws {
    let places = try sources.places(of: #"\bunsafe\b"#) {
      !Self.roomsWithPointers.contains($0.room)
    }
    #expect(places == [])
  }

  @Test func `the system's C library is imported in one place`() throws {
    let places = try sources.places(of: #"\bimport (Glibc|Musl|Darwin)\b"#) {
      $0.room != "SystemLibrary"
    }
    #expect(places == [])
  }

  static let banned = #"\btry[!?]|\bas!|\bfatalError\(|"# + sleeping
  /// Sleeping instead of waiting for an event; an enum case of that name is allowed.
  static let sleeping = #"^(?!\s*case\b).*(^|[^\w.])(u|nano)?sleep\(|\w\.sleep\("#

  @Test func `nothing is forced, swallowed or slept away`() throws {
    #expect(try sources.places(of: Self.banned) { _ in true } == [])
  }

  /// Lines that the rules must detect.
  static let breaches: [(rule: String, code: String)] = [
    (banned, "do { try await Task.sleep(for: limit) } catch {}"), (banned, "Thread.sleep(1)"),
    (banned, "sleep(1)"), (banned, "usleep(5)"), (banned, "clock.sleep(until: x)"),
    (banned, "return try! x.y()"), (banned, "let x = y as! Z"),
    (sleeping, "try await Task.sleep(for: .seconds(1))"), (sleeping, "nanosleep(&a, nil)"),
    (impurities["clocks and tasks"] ?? "", "Task.isCancelled"),
    (impurities["clocks and tasks"] ?? "", "Task { [weak self] in"),
    (impurities["clocks and tasks"] ?? "", "let now = ContinuousClock.now"),
    (impurities["concurrency"] ?? "", "x = await y.z"),
    (impurities["reference types"] ?? "", "final class X {"),
    (impurities["imports"] ?? "", "public import Foundation"),
  ]

  @Test(arguments: breaches)
  func `a rule sees what it is there for`(rule: String, code: String) throws {
    #expect(code.contains(try SourceTree.expression(rule)))
  }

  /// A URL's `path()` is percent-encoded, and no file has that name if the path has a space.
  @Test func `paths of files are as the system spells them`() throws {
    #expect(try sources.places(of: #"\.path\(\)"#) { _ in true } == [])
  }

  @Test func `only the command line prints`() throws {
    let places = try sources.places(of: #"\bprint\("#) {
      !["matinee", "Bench", "BareRelay"].contains($0.room)
    }
    #expect(places == [])
  }

  @Test func `public is what the library hands out`() throws {
    let places = try sources.places(of: #"^\s*public "#) {
      !["Vocabulary", "MatineeClient", "MatineeTerminal"].contains($0.room)
        && !$0.path.contains("/GroupSessions/Values/")
        && !$0.path.contains("/Playback/Values/")
        && !$0.path.contains("/InAppMessaging/Message/")
        && !$0.path.contains("/UserNotifications/Content/")
        && !$0.path.contains("/UserNotifications/Payload/")
    }
    #expect(places == [])
  }

  @Test func `a file holds one idea`() {
    let long = sources.files.filter { $0.lines.count > Self.longestFile }.map(\.path)
    #expect(long == [])
  }

  @Test func `tests wait for events, not for time`() throws {
    let places = try SourceTree("Tests").places(of: Self.sleeping) { $0.room != "HouseTests" }
    #expect(places == [])
  }
}

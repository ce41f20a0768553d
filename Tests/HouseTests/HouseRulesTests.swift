import Testing

/// The rules of the house that a compiler does not know.
@Suite struct HouseRulesTests {
  static let pureRooms: Set = [
    "Vocabulary", "Playback", "GroupSessions", "Wire", "Coordination", "Participation",
  ]
  /// Where pointers are: the loop, the parser's memory, and the yardstick written like C.
  static let roomsWithPointers: Set = ["EventLoops", "JSON", "CLibuv", "CSimdjson", "BareRelay"]
  /// The longest a file may be; a longer one holds more than one idea.
  static let longestFile = 400

  let sources: SourceTree

  init() throws {
    sources = try SourceTree("Sources")
  }

  @Test func `there is something to check`() {
    #expect(sources.files.count > 80)
    #expect(Self.pureRooms.isSubset(of: sources.files.map(\.room)))
  }

  @Test(arguments: [
    (
      #/\bimport (Foundation|FoundationEssentials|Glibc|Dispatch|Synchronization|CLibuv)\b/#,
      "imports"
    ),
    (#/\b(Task|ContinuousClock|SuspendingClock|Date)\b[.({]/#, "clocks and tasks"),
    (#/\b(async|await|actor)\b/#, "concurrency"),
    (#/\bclass\b|\bManagedBuffer\b/#, "reference types"),
    (#/\.random\(in: [^)]*\)$|SystemRandomNumberGenerator/#, "randomness"),
  ])
  func `pure rooms know no clock, no thread and no chance`(
    pattern: (regex: Regex<Substring>, what: String)
  ) {
    let places = sources.places(of: pattern.regex) { Self.pureRooms.contains($0.room) }
    #expect(places == [], "\(pattern.what)")
  }

  @Test func `unsafe stands only where pointers are`() {
    let places = sources.places(of: #/\bunsafe\b/#) { !Self.roomsWithPointers.contains($0.room) }
    #expect(places == [])
  }

  @Test func `nothing is forced, swallowed or slept away`() {
    let banned = #/\btry[!?]|\bas!|\bfatalError\(|\bThread\.sleep|\busleep\(|\bsleep\(/#
    #expect(sources.places(of: banned) { _ in true } == [])
  }

  @Test func `only the command line prints`() {
    let places = sources.places(of: #/\bprint\(/#) {
      !["matinee", "Bench", "BareRelay", "LineRelay"].contains($0.room)
    }
    #expect(places == [])
  }

  @Test func `public is what the library hands out`() {
    let places = sources.places(of: #/^\s*public /#) {
      !["Vocabulary", "MatineeClient"].contains($0.room)
    }
    #expect(places == [])
  }

  @Test func `a file holds one idea`() {
    let long = sources.files.filter { $0.lines.count > Self.longestFile }.map(\.path)
    #expect(long == [])
  }

  @Test func `tests wait for events, not for time`() throws {
    let places = try SourceTree("Tests").places(of: #/\bsleep\(|Task\.sleep/#) {
      $0.room != "HouseTests"
    }
    #expect(places == [])
  }
}

package import EventLoops
import Scenarios
import Stages
import Vocabulary

/// One evening with one server: the same people, networks, films and keys, whoever serves.
///
/// Two of Debian's clients, with the same delay and 10 ms of jitter, and one that comes late with
/// 150 ms: start, playing, pause, playing again, seek, late joins, next film of the playlist. Between
/// the phases everybody is waited for; what is measured begins with a key.
package struct ComparisonScript {
  /// The films, each some minutes long, of different lengths.
  package struct Films: Equatable, Sendable {
    package var first: String
    package var second: String
    /// Where both are.
    package var directory: String

    /// The films, by their names there.
    package init(first: String, second: String, directory: String) {
      self.first = first
      self.second = second
      self.directory = directory
    }
  }

  let stage: SyncplayStage
  let loop: EventLoop
  let films: Films
  private let lateJoins: Int
  private let conditions: NetworkConditions
  let tell: (String) -> Void
  let isInterrupted: () -> Bool
  var figures: [ComparisonFigure] = []

  /// How long anything may take that is waited for.
  static let patience = Duration.seconds(60)
  static let jitter = Duration.milliseconds(10)
  static let lateDelay = Duration.milliseconds(150)
  /// How long each phase is looked at.
  static let length = Duration.seconds(5)
  /// In a phase after a start, from when on it counts as playing.
  static let settling = Duration.seconds(1)
  static let target = MediaTime.seconds(120)

  /// A run, not yet begun.
  ///
  /// - Parameters:
  ///   - stage: with its server, before anybody is there.
  ///   - delay: one way, of the two who are there from the beginning.
  ///   - films: what they watch.
  ///   - lateJoins: how often somebody comes late.
  ///   - loop: the stage's.
  ///   - isInterrupted: looked at all the time.
  ///   - tell: hears what is happening, for a person who waits.
  package init(
    on stage: SyncplayStage, delay: Duration, films: Films, lateJoins: Int, loop: EventLoop,
    isInterrupted: @escaping () -> Bool, tell: @escaping (String) -> Void
  ) {
    self.stage = stage
    self.films = films
    self.lateJoins = lateJoins
    self.loop = loop
    self.tell = tell
    self.isInterrupted = isInterrupted
    conditions = NetworkConditions(delay: delay, jitter: Self.jitter)
  }

  /// Runs it, and measures.
  package mutating func perform() throws(ComparisonFailure) -> [ComparisonFigure] {
    try wait(until: "the server listens", of: nil) { stage.server.isListening }
    // They open the film in their players, and the playlist is empty: so it is with whoever does not
    // use one.
    let ann = try enter("ann", with: nil, conditions, seed: 1)
    let bob = try enter("bob", with: nil, conditions, seed: 2)
    for client in [ann, bob] {
      try wait(until: "\(client.name) has a player", of: client) { client.hasPlayer }
      // The client is not ready for its player before that.
      try wait(until: "\(client.name) is there", of: client) {
        client.words.contains("Successfully connected")
      }
    }
    try run(for: Self.settling)
    for client in [ann, bob] {
      client.open("\(films.directory)/\(films.first)")
      try wait(until: "\(client.name) has the film", of: client) { stage.isSettled(client) }
    }
    try run(for: Self.settling)
    try start("start", ann, followedBy: bob)
    try play(ann, bob)
    try pause(ann, followedBy: bob)
    try start("playing again", bob, followedBy: ann)
    try seek("seek", ann, followedBy: bob)
    for number in 0..<lateJoins {
      try joinLate(number + 1, beside: ann, bob)
    }
    try next(ann, followedBy: bob)
    return figures
  }

  // MARK: Phases

  mutating func start(
    _ phase: String, _ one: SyncplayClientProcess, followedBy other: SyncplayClientProcess,
    isMeasured: Bool = true
  ) throws(ComparisonFailure) {
    tell(phase)
    let cue = loop.now
    one.press(.play)
    try wait(until: "both run", of: other) { stage.runs(one) && stage.runs(other) }
    guard isMeasured else { return }
    try run(for: Self.length)
    let heads = playheads(one, other)
    add(phase, "the other one runs after", heads.firstInstant(from: cue) { $0.runs(other.name) })
    addSpread(phase, heads, from: cue + Self.settling)
  }

  private mutating func play(
    _ one: SyncplayClientProcess, _ other: SyncplayClientProcess
  ) throws(ComparisonFailure) {
    tell("playing")
    let begin = loop.now
    try run(for: Self.length)
    addSpread("playing", playheads(one, other), from: begin)
  }
}

// MARK: What phases are made of

extension ComparisonScript {
  func enter(
    _ name: String, with file: String?, _ conditions: NetworkConditions, seed: UInt64
  ) throws(ComparisonFailure) -> SyncplayClientProcess {
    let settings = SyncplayClientSettings(name: name, file: file, directory: films.directory)
    do throws(SyncplayProgramError) {
      return try stage.enter(settings, through: conditions, seed: seed)
    } catch {
      throw .program(error)
    }
  }

  func wait(
    until what: String, of client: SyncplayClientProcess?, _ condition: () -> Bool
  ) throws(ComparisonFailure) {
    let holds = stage.wait(within: Self.patience) { isInterrupted() || condition() }
    if isInterrupted() { throw .interrupted }
    if !holds { throw .late(what, words: client?.words ?? stage.server.words) }
  }

  func run(for duration: Duration) throws(ComparisonFailure) {
    _ = stage.wait(within: duration, until: isInterrupted)
    if isInterrupted() { throw .interrupted }
  }

  func playheads(_ clients: SyncplayClientProcess...) -> MeasuredPlayheads {
    MeasuredPlayheads(of: clients.map(\.name), stage.recorder.tracks, until: loop.now)
  }

  mutating func add(_ phase: String, _ name: String, _ value: Double?) {
    figures.append(ComparisonFigure(phase, name, value))
  }

  mutating func addSpread(_ phase: String, _ heads: MeasuredPlayheads, from begin: HostTime) {
    let spreads = heads.spreads(from: begin)
    add(phase, "apart, median", PlayheadSpreads.percentile(spreads, 50))
    add(phase, "apart, 95 %", PlayheadSpreads.percentile(spreads, 95))
  }
}

package import EventLoops
import Scenarios
import Stages
import Vocabulary

/// One evening on one server, with the same users, networks, films and keys for each server.
///
/// Some users have Debian's client from the beginning, each with its own delay and 10 ms of jitter;
/// others join late with 150 ms. Another user leads in each round. The phases of a round are:
/// start, playing, pause, playing again, seek, late joins, a cut connection, the next film of the
/// playlist. Between the phases the script waits for everybody; each measurement begins with a key.
package struct ComparisonScript {
  /// The films, each some minutes long, of different lengths.
  package struct Films: Equatable, Sendable {
    package var first: String
    package var second: String
    /// The directory that contains both.
    package var directory: String

    /// The films, by their file names in the directory.
    package init(first: String, second: String, directory: String) {
      self.first = first
      self.second = second
      self.directory = directory
    }
  }

  /// The parameters of an evening.
  package struct Plan: Equatable, Sendable {
    /// The one-way delay of each user who is present from the beginning; two to six.
    package var delays: [Duration]
    package var rounds: Int
    /// How many users join late in each round.
    package var lateJoins: Int
    package var films: Films

    package init(delays: [Duration], rounds: Int, lateJoins: Int, films: Films) {
      self.delays = delays
      self.rounds = rounds
      self.lateJoins = lateJoins
      self.films = films
    }
  }

  let stage: SyncplayStage
  let loop: EventLoop
  let plan: Plan
  let tell: (String) -> Void
  let isInterrupted: () -> Bool
  var figures = ComparisonFigures()
  /// The current film.
  var film: String
  /// How many users have joined late so far.
  var lateCount = 0

  /// The names of the users; they limit how many there can be.
  package static let names = ["ann", "bob", "cleo", "dora", "emil", "finn"]

  /// The longest time to wait for anything.
  static let patience = Duration.seconds(60)
  static let jitter = Duration.milliseconds(10)
  static let lateDelay = Duration.milliseconds(150)
  /// How long each phase is observed.
  static let length = Duration.seconds(5)
  /// The time after a start from which on a phase counts as playing.
  static let settling = Duration.seconds(1)
  static let target = MediaTime.seconds(120)
  /// The position to which seeks alternate with the target; it is further from the target than the
  /// tolerance of a completed seek.
  static let earlier = MediaTime.seconds(30)
  /// How often pause, play and seek are repeated in a round.
  ///
  /// A client polls its player ten times a second, so a single key says little about how quickly
  /// and how closely the others follow.
  static let repetitions = 4
  /// How long players are observed after such a key.
  static let glance = Duration.seconds(2)

  /// A run that has not begun.
  ///
  /// - Parameters:
  ///   - stage: a stage with its server, before anybody joins.
  ///   - plan: the parameters.
  ///   - loop: the stage's loop.
  ///   - isInterrupted: polled during all waits.
  ///   - tell: is told about the progress.
  package init(
    on stage: SyncplayStage, _ plan: Plan, loop: EventLoop,
    isInterrupted: @escaping () -> Bool, tell: @escaping (String) -> Void
  ) {
    self.stage = stage
    self.plan = plan
    self.loop = loop
    self.tell = tell
    self.isInterrupted = isInterrupted
    film = plan.films.first
  }

  /// Runs the evening, and returns the figures.
  package mutating func perform() throws(ComparisonFailure) -> [ComparisonFigure] {
    try wait(until: "the server listens", of: nil) { stage.server.isListening }
    let people = try gather()
    for round in 0..<plan.rounds {
      if round > 0 { try stop(people) }
      let turn = round % people.count
      let cast = Cast(of: Array(people[turn...] + people[..<turn]))
      let number = plan.rounds > 1 ? "round \(round + 1): " : ""
      try perform(cast) { [tell] in tell(number + $0) }
    }
    let silences = people.reduce(0) { $0 + $1.silences }
    figures.add(
      ComparisonFigure(
        "all along", "over 2 s without a State", [Double(silences)], .times, by: .sum))
    return figures.all
  }

  private mutating func perform(
    _ cast: Cast, tell: (String) -> Void
  ) throws(ComparisonFailure) {
    tell("start")
    try start("start", by: cast.first, among: cast)
    tell("playing")
    try play(cast)
    tell("pause")
    try pause(cast)
    tell("playing again")
    try start("playing again", by: cast.second, among: cast)
    tell("pause and playing again, \(Self.repetitions) times")
    try pauseAndPlay(cast)
    tell("seek")
    try seek(cast)
    tell("seek, \(Self.repetitions) times")
    try seekToAndFro(cast)
    for _ in 0..<plan.lateJoins {
      try bringBack(cast)
      tell("late join")
      try joinLate(beside: cast)
    }
    tell("cut line")
    try bringBack(cast)
    try cut(cast)
    tell("next film")
    try next(cast)
  }

  /// Makes everybody join, and open the film in the player.
  ///
  /// The playlist is empty, as it is for users who do not use one.
  private func gather() throws(ComparisonFailure) -> [SyncplayClientProcess] {
    var people: [SyncplayClientProcess] = []
    for (index, delay) in plan.delays.enumerated() {
      let conditions = NetworkConditions(delay: delay, jitter: Self.jitter)
      people.append(
        try enter(Self.names[index], with: nil, conditions, seed: UInt64(index) + 1))
    }
    for client in people {
      try wait(until: "\(client.name) has a player", of: client) { client.hasPlayer }
      // Before that, the client ignores its player.
      try wait(until: "\(client.name) is there", of: client) {
        client.words.contains("Successfully connected")
      }
    }
    try run(for: Self.settling)
    for client in people {
      client.open("\(plan.films.directory)/\(film)")
      try wait(until: "\(client.name) has the film", of: client) { stage.isSettled(client) }
    }
    try run(for: Self.settling)
    return people
  }
}

// MARK: Parts of the phases

extension ComparisonScript {
  /// The roles of the users in a round.
  struct Cast {
    let all: [SyncplayClientProcess]
    /// The user who presses most keys; the others follow.
    let first: SyncplayClientProcess
    /// The user who presses once.
    let second: SyncplayClientProcess
    /// The user whose connection is cut.
    let last: SyncplayClientProcess

    /// - Parameter people: at least two.
    init(of people: [SyncplayClientProcess]) {
      all = people
      (first, second, last) = (people[0], people[1], people[people.count - 1])
    }

    func others(than one: SyncplayClientProcess) -> [SyncplayClientProcess] {
      all.filter { $0 !== one }
    }
  }

  func enter(
    _ name: String, with file: String?, _ conditions: NetworkConditions, seed: UInt64
  ) throws(ComparisonFailure) -> SyncplayClientProcess {
    let settings = SyncplayClientSettings(
      name: name, file: file, directory: plan.films.directory)
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

  func playheads(_ clients: [SyncplayClientProcess]) -> MeasuredPlayheads {
    MeasuredPlayheads(of: clients.map(\.name), stage.recorder.tracks, until: loop.now)
  }

  mutating func add(_ phase: String, _ name: String, _ value: Double?) {
    figures.add(ComparisonFigure(phase, name, [value]))
  }

  mutating func addSpread(_ phase: String, _ heads: MeasuredPlayheads, from begin: HostTime) {
    let spreads = heads.spreads(from: begin)
    add(phase, "apart, median", PlayheadSpreads.percentile(spreads, 50))
    add(phase, "apart, 95 %", PlayheadSpreads.percentile(spreads, 95))
  }
}

// The phases of users who join, and rejoin.

extension ComparisonScript {
  /// The tolerated displacement of the others by a late join, in milliseconds.
  private static let stillness = 250.0
  private static let moved = "others moved by, at most"

  /// Makes a user join late, stay for a while, and leave.
  mutating func joinLate(beside cast: Cast) throws(ComparisonFailure) {
    lateCount += 1
    let begin = loop.now
    let late = try enter(
      "eve\(lateCount)", with: film,
      NetworkConditions(delay: Self.lateDelay, jitter: Self.jitter),
      seed: UInt64(Self.names.count + lateCount))
    try wait(until: "\(late.name) has the film", of: late) { stage.isSettled(late) }
    let arrival = loop.now
    // Long enough to see whether the others are moved back, and for the client to arrive.
    try run(for: Self.length * 2)
    figures.add(
      ComparisonFigure(
        "late join", Self.moved, [playheads(cast.all).displacement(from: begin)], by: .largest,
        target: .atMost(Self.stillness)))
    // It has no comparison, because users who are all moved back are together at once.
    figures.add(
      ComparisonFigure(
        "late join", "the late one is with them after",
        [
          playheads(cast.all + [late]).firstInstant(from: arrival) {
            $0.areTogether(within: 1000)
          }
        ], target: nil))
    late.close()
    try wait(until: "\(late.name) is gone", of: late) { late.hasEnded }
  }

  /// Cuts and restores a user's connection while all play.
  mutating func cut(_ cast: Cast) throws(ComparisonFailure) {
    let others = cast.others(than: cast.last)
    let before = arrivals(of: cast.last)
    let begin = loop.now
    cast.last.cutNetwork()
    try run(for: Self.settling * 3)
    cast.last.restoreNetwork()
    try wait(until: "\(cast.last.name) is back", of: cast.last) {
      arrivals(of: cast.last) > before
    }
    let arrival = loop.now
    try run(for: Self.length)
    figures.add(
      ComparisonFigure(
        "cut line", Self.moved, [playheads(others).displacement(from: begin)], by: .largest,
        target: .atMost(Self.stillness)))
    addSpread("cut line", playheads(cast.all), from: arrival + Self.settling)
  }

  private func arrivals(of client: SyncplayClientProcess) -> Int {
    client.words.split(separator: "Successfully connected").count
  }
}

/// Why a comparison cannot continue.
package enum ComparisonFailure: Error, Equatable, CustomStringConvertible {
  case program(SyncplayProgramError)
  /// An awaited event did not happen in time; with the end of the program's output.
  case late(String, words: String)
  /// The user interrupted it.
  case interrupted

  /// A description for the user.
  package var description: String {
    switch self {
    case .program(let error): "\(error)"
    case .late(let what, let words): "waited in vain until \(what): \(words.suffix(400))"
    case .interrupted: "interrupted"
    }
  }
}

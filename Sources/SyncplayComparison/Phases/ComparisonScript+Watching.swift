import EventLoops
import Scenarios
import Vocabulary

// The phases of users who are present from the beginning.

extension ComparisonScript {
  /// Starts playback by one user's key, and observes all players for the given time.
  mutating func start(
    _ phase: String, by one: SyncplayClientProcess, among cast: Cast,
    for length: Duration = Self.length
  ) throws(ComparisonFailure) {
    let cue = loop.now
    one.press(.play)
    try wait(until: "all run", of: one) { cast.all.allSatisfy(stage.runs) }
    try run(for: length)
    let heads = playheads(cast.all)
    let others = cast.others(than: one)
    add(
      phase, "the others run after",
      heads.firstInstant(from: cue) { heads in others.allSatisfy { heads.runs($0.name) } })
    addSpread(phase, heads, from: cue + Self.settling)
  }

  mutating func play(_ cast: Cast) throws(ComparisonFailure) {
    let begin = loop.now
    try run(for: Self.length)
    addSpread("playing", playheads(cast.all), from: begin)
  }

  mutating func pause(
    _ cast: Cast, for length: Duration = Self.length
  ) throws(ComparisonFailure) {
    let cue = loop.now
    cast.first.press(.pause)
    try wait(until: "all stand", of: cast.first) { cast.all.allSatisfy(stage.stands) }
    // Some clients are corrected after a moment.
    try run(for: length)
    let heads = playheads(cast.all)
    let others = cast.others(than: cast.first)
    add(
      "pause", "the others stand after",
      heads.firstInstant(from: cue) { heads in others.allSatisfy { heads.stands($0.name) } })
    figures.add(
      ComparisonFigure("pause", "frames apart then", [heads.framesApart], target: .better))
  }

  mutating func seek(
    _ cast: Cast, to position: MediaTime = Self.target, for length: Duration = Self.length
  ) throws(ComparisonFailure) {
    let cue = loop.now
    try go(to: position, cast)
    try run(for: length)
    let heads = playheads(cast.all)
    let others = cast.others(than: cast.first)
    add(
      "seek", "the others are there after",
      heads.firstInstant(from: cue) { heads in
        others.allSatisfy { heads.position(of: $0.name).map { Self.isThere($0, position) } == true }
      })
    addSpread("seek", heads, from: cue + Self.settling * 2)
  }

  /// Presses pause and play several times, with shorter observations.
  mutating func pauseAndPlay(_ cast: Cast) throws(ComparisonFailure) {
    for _ in 0..<Self.repetitions {
      try pause(cast, for: Self.glance)
      try start("playing again", by: cast.second, among: cast, for: Self.glance)
    }
  }

  /// Seeks back and forth several times, with shorter observations.
  mutating func seekToAndFro(_ cast: Cast) throws(ComparisonFailure) {
    for _ in 0..<Self.repetitions / 2 {
      try seek(cast, to: Self.earlier, for: Self.glance)
      try seek(cast, to: Self.target, for: Self.glance)
    }
  }

  mutating func next(_ cast: Cast) throws(ComparisonFailure) {
    let phase = "next film"
    // The client does not add a film that is in the list already.
    for film in [plan.films.first, plan.films.second] { cast.first.queue(film) }
    try run(for: Self.settling * 2)
    let isFirst = film == plan.films.first
    film = isFirst ? plan.films.second : plan.films.first
    let others = cast.others(than: cast.first)
    let before = others.map { openings(of: $0) }
    let cue = loop.now
    cast.first.select(isFirst ? 2 : 1)
    for (other, before) in zip(others, before) {
      try wait(until: "\(other.name) is playing \(film)", of: other) {
        openings(of: other) > before
      }
    }
    // Detected by the clients' output, because positions do not distinguish the films.
    add(phase, "the others have it after", (loop.now - cue).inMilliseconds)
    try run(for: Self.settling * 2)
    cast.first.press(.play)
    try wait(until: "all run", of: cast.first) { cast.all.allSatisfy(stage.runs) }
    let begin = loop.now + Self.settling
    try run(for: Self.length)
    addSpread(phase, playheads(cast.all), from: begin)
  }

  /// How often a client opened the current film.
  private func openings(of client: SyncplayClientProcess) -> Int {
    client.words.split(separator: "\(client.name) is playing '\(film)'").count
  }
}

// MARK: Between the phases

extension ComparisonScript {
  /// Pauses everybody.
  func stop(_ people: [SyncplayClientProcess]) throws(ComparisonFailure) {
    people[0].press(.pause)
    try wait(until: "all stand", of: people[0]) { people.allSatisfy(stage.stands) }
    try run(for: Self.settling)
  }

  /// Restores the position and playback if a late joiner moved everybody back.
  func bringBack(_ cast: Cast) throws(ComparisonFailure) {
    guard !cast.all.allSatisfy({ runsBehind(Self.target, $0) }) else { return }
    cast.first.press(.play)
    try go(to: Self.target, cast)
    try run(for: Self.length)
  }

  private func go(to position: MediaTime, _ cast: Cast) throws(ComparisonFailure) {
    cast.first.press(.seek(position))
    try wait(until: "all are there", of: cast.first) {
      cast.all.allSatisfy { runsBehind(position, $0) }
    }
  }

  private func runsBehind(_ goal: MediaTime, _ client: SyncplayClientProcess) -> Bool {
    stage.runs(client) && stage.position(of: client).map { Self.isThere($0, goal) } == true
  }

  private static func isThere(_ position: MediaTime, _ goal: MediaTime) -> Bool {
    position >= goal && position < goal + patience
  }
}

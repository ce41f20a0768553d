import Playback
import Testing
import Vocabulary

let ann = ParticipantID("ann")
let ben = ParticipantID("ben")
let eve = ParticipantID("eve")
let sue = ParticipantID("sue")
let film = ItemID("film")
let trailer = ItemID("trailer")

/// A session's playback with a clock to turn, that remembers everything that happened.
struct PlaybackStage {
  /// What changed the value: replayed over an empty one, it gives the same value.
  enum Change {
    case event(PlaybackEvent, seq: Int, at: Instant)
    case joined(ParticipantID)
    case left(ParticipantID)
    case connected(ParticipantID, Bool)
    case interrupted(ParticipantID)
  }

  private(set) var playback: CoordinatedPlayback
  private(set) var history: [Change] = []
  private(set) var seq = 0
  var now = Instant(microseconds: 1_000_000_000)
  var conditions = PlaybackConditions()

  init(_ policy: WaitingPolicy = .keepGoing, _ participants: ParticipantID...) {
    playback = CoordinatedPlayback(waitingPolicy: policy)
    for id in participants { join(id) }
  }

  // MARK: Commands

  /// Decides, and makes it so.
  @discardableResult
  mutating func apply(_ command: PlaybackCommand, by id: ParticipantID) throws(PlaybackRejection)
    -> [PlaybackEvent]
  {
    record(try playback.decide(command, by: id, at: now, after: seq, under: conditions))
  }

  @discardableResult
  mutating func settle() -> [PlaybackEvent] {
    record(playback.settle(at: now, after: seq, under: conditions))
  }

  @discardableResult
  mutating func advance(from old: ItemID, to new: ItemID, isPlaying: Bool)
    throws(PlaybackRejection) -> [PlaybackEvent]
  {
    record(
      try playback.advance(
        from: old, to: new, isPlaying: isPlaying, at: now, after: seq, under: conditions))
  }

  @discardableResult
  mutating func setPolicy(_ policy: WaitingPolicy, by id: ParticipantID) -> [PlaybackEvent] {
    record(
      playback.setWaitingPolicy(policy, by: id, at: now, after: seq, under: conditions))
  }

  @discardableResult
  private mutating func record(_ events: [PlaybackEvent]) -> [PlaybackEvent] {
    for event in events {
      seq += 1
      playback.evolve(event, seq: seq, at: now)
      history.append(.event(event, seq: seq, at: now))
    }
    return events
  }

  // MARK: People

  @discardableResult
  mutating func join(_ id: ParticipantID) -> [PlaybackEvent] {
    playback.add(id)
    history.append(.joined(id))
    return settle()
  }

  @discardableResult
  mutating func leave(_ id: ParticipantID) -> [PlaybackEvent] {
    playback.remove(id)
    history.append(.left(id))
    return settle()
  }

  @discardableResult
  mutating func lose(_ id: ParticipantID) -> [PlaybackEvent] { setConnected(id, false) }

  @discardableResult
  mutating func comeBack(_ id: ParticipantID) -> [PlaybackEvent] { setConnected(id, true) }

  /// The server is away: it disconnects everybody, and decides nothing.
  mutating func interrupt() {
    for id in playback.participants.keys.sorted() {
      playback.interrupt(id)
      history.append(.interrupted(id))
    }
  }

  private mutating func setConnected(_ id: ParticipantID, _ isConnected: Bool) -> [PlaybackEvent] {
    playback.setConnected(id, isConnected)
    history.append(.connected(id, isConnected))
    return settle()
  }

  // MARK: Time

  /// Lets time pass, and wakes playback exactly at each of its deadlines.
  @discardableResult
  mutating func pass(_ duration: Duration) -> [PlaybackEvent] {
    let target = now + duration
    var events: [PlaybackEvent] = []
    while let deadline = playback.nextDeadline, deadline <= target {
      now = max(now, deadline)
      let due = settle()
      guard !due.isEmpty else {
        Issue.record("the deadline \(deadline) came, and nothing was due")
        break
      }
      events += due
    }
    now = target
    return events
  }

  /// Lets time pass, and wakes playback once at the end, however many deadlines went by.
  @discardableResult
  mutating func oversleep(_ duration: Duration) -> [PlaybackEvent] {
    now = now + duration
    return settle()
  }

  // MARK: Shorthand

  /// Everyone makes the item current.
  mutating func open(
    _ item: ItemID, _ ids: ParticipantID..., proposing timing: ProposedTiming? = nil,
    duration: Duration? = nil
  ) throws {
    for id in ids {
      try apply(.transition(to: item, proposing: timing, duration: duration), by: id)
    }
  }

  /// The participant answers the item's latest event.
  @discardableResult
  mutating func ready(_ id: ParticipantID, _ item: ItemID = film) throws -> [PlaybackEvent] {
    try apply(.ready(item, seq: try timeline(item).seq), by: id)
  }

  /// Everyone opens the film and it starts at a place, with the common start just reached.
  mutating func run(_ ids: ParticipantID..., from place: MediaTime = .zero) throws {
    for id in ids { try apply(.transition(to: film, proposing: .init(mediaTime: place)), by: id) }
    try apply(.play(film), by: try #require(ids.first))
    for id in ids { try ready(id) }
    pass(conditions.lead)
  }

  /// The participant steps out; the number to step back in with.
  mutating func suspend(_ id: ParticipantID, _ reason: SuspensionReason) throws -> SuspensionID {
    try apply(.suspend(reason), by: id)
    return try #require(participant(id).suspensions.last?.id)
  }

  func timeline(_ item: ItemID = film) throws -> Timeline {
    try #require(playback.timelines[item])
  }

  func participant(_ id: ParticipantID) throws -> CoordinatedParticipant {
    try #require(playback.participants[id])
  }

  func barrier(_ item: ItemID = film) throws -> StartBarrier {
    guard case .preparing(let barrier) = try timeline(item).phase else {
      throw NotPreparing(phase: describe(item))
    }
    return barrier
  }

  func waitingFor(_ item: ItemID = film) -> [ParticipantID] {
    playback.waitingFor(item, at: now)
  }

  /// What an item is doing in two words, such as "playing 60"; "starting" while a start is ahead.
  func describe(_ item: ItemID = film) -> String {
    guard let timeline = playback.timelines[item] else { return "empty" }
    let word =
      switch timeline.phase {
      case .paused: "paused"
      case .preparing(let barrier): barrier.isFrozen ? "frozen" : "preparing"
      case .playing(let anchor): anchor.at > now && anchor.approach == nil ? "starting" : "playing"
      case .ended: "ended"
      }
    let place = timeline.position(at: now).microseconds / 1_000_000
    return "\(word) \(place)" + (timeline.rate == .normal ? "" : " ×\(timeline.rate.factor)")
  }

  /// The value that the remembered history gives.
  func replayed(_ policy: WaitingPolicy) -> CoordinatedPlayback {
    var replayed = CoordinatedPlayback(waitingPolicy: policy)
    for change in history {
      switch change {
      case .event(let event, let seq, let at): replayed.evolve(event, seq: seq, at: at)
      case .joined(let id): replayed.add(id)
      case .left(let id): replayed.remove(id)
      case .connected(let id, let isConnected): replayed.setConnected(id, isConnected)
      case .interrupted(let id): replayed.interrupt(id)
      }
    }
    return replayed
  }
}

/// A test asked for the barrier of an item that has none.
struct NotPreparing: Error {
  let phase: String
}

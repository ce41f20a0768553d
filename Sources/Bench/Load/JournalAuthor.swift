import Coordination
import EventLoops
import GroupSessions
import Journals
import Playback
import Vocabulary
import Wire

/// Fills a journal file with realistic sessions: a coordinator in this process handles the messages
/// of thousands of peers during one evening, and a durable journal stores the results.
///
/// All sessions run at the same time, as on a server, so that their entries are interleaved in the
/// file. Confined to its loop's thread.
final class JournalAuthor {
  /// The events handed to the journal.
  private(set) var eventCount = 0
  private let stage: Stage
  private let journal: StoredJournal
  private var coordinator = Coordinator(limits: limits)
  private var requests = Requests()
  private let start: Instant
  private var now: Instant
  private var entropy = SplitMix64(seed: 1)
  private var sessions: [Showing] = []
  /// The index of each session.
  private var places: [SessionID: Int] = [:]
  /// The session that was activated last.
  private var activated: SessionID?
  private var waiting = 0

  private struct Showing {
    let first: Int
    var eventCount = 0
    var turn = 0
  }

  static let sessionSize = 5
  /// The time in which all sessions gather, and the time from then to the end, which is about now.
  private static let gathering = Duration.seconds(1800)
  private static let watching = Duration.seconds(5400)
  /// The fewest events of a session, and the number of different lengths.
  ///
  /// A session has 70 to 106 events, more than there are between two snapshots, so that the number
  /// of events after the last snapshot varies.
  private static let shortestSession = 70
  private static let sessionLengths = 37
  /// The most commands of a session.
  private static let turns = 90
  /// Appends that may wait to be written; it makes transactions reasonably large and keeps memory
  /// small.
  private static let waitingMaximum = 2_000

  private static let limits: Limits = {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    (limits.userCostBurst, limits.groupCostBurst) = (1 << 40, 1 << 40)
    (limits.userJournalBytes, limits.groupJournalBytes) = (1 << 40, 1 << 40)
    limits.peers = 1_000_000
    limits.groups = 100_000
    // The peers here send no heartbeats, so the deadlines are longer than the evening.
    limits.idleDeadline = .seconds(86_400)
    limits.heartbeatDeadline = .seconds(86_400)
    return limits
  }()

  /// Opens a new file.
  init(_ path: String, on stage: Stage) throws(BenchError) {
    self.stage = stage
    start = WallClock.read() - (Self.gathering + Self.watching)
    now = start
    do {
      let file = try JournalFile(
        path, retention: .seconds(30 * 86_400), limits: Self.limits, at: start)
      journal = try file.journal(on: stage.loop)
    } catch {
      throw .journal("\(error)")
    }
    journal.delegate = self
  }

  /// Makes this many sessions gather, and watch at the same time.
  func write(sessions count: Int) throws(BenchError) {
    for place in 0..<count {
      now = max(now, start + Self.gathering * (Double(place) / Double(count)))
      begin(place)
      try settleIfDue()
    }
    for turn in 0..<Self.turns {
      for place in sessions.indices {
        let part = (Double(turn) + Double(place) / Double(count)) / Double(Self.turns)
        now = max(now, start + Self.gathering + Self.watching * part)
        goOn(place)
        try settleIfDue()
      }
    }
    try settle()
  }

  /// Closes the file, and waits until it is closed.
  func close() throws(BenchError) {
    journal.close()
    while !journal.isClosed { try stage.rest() }
  }

  private func settleIfDue() throws(BenchError) {
    if waiting > Self.waitingMaximum { try settle() }
  }

  private func settle() throws(BenchError) {
    try stage.wait(for: "a journal to be written") { waiting == 0 }
  }
}

@available(*, unavailable)
extension JournalAuthor: Sendable {}

// MARK: Commands

extension JournalAuthor {
  private func begin(_ number: Int) {
    let first = number * Self.sessionSize
    let seats = first..<first + Self.sessionSize
    for seat in seats {
      take(.connected(peer(seat)))
      take(.received(peer(seat), Requests.hello(seat)))
      say(.joinGroup(GroupID("evening-\(number)")), by: seat)
    }
    say(.activate(Activation(Requests.activity)), by: first)
    guard let session = activated.take() else { return }
    for seat in seats {
      say(.join(session, handoffFrom: nil), by: seat)
      say(.playback(nil, .transition(to: Requests.film)), by: seat)
    }
    say(.queue(nil, .insert(Self.films, at: .end)), by: first)
  }

  /// Sends a session's next command, unless it has its number of events already.
  private func goOn(_ place: Int) {
    let session = sessions[place]
    let goal = Self.shortestSession + place % Self.sessionLengths
    guard session.eventCount < goal else { return }
    sessions[place].turn += 1
    say(.playback(nil, command(session.turn)), by: session.first + session.turn % Self.sessionSize)
  }

  /// The commands alternate: play, seek, pause.
  private func command(_ turn: Int) -> PlaybackCommand {
    let place = MediaTime(microseconds: 1_000_000 * Int64(turn))
    return switch turn % 3 {
    case 0: .play(Requests.film, immediately: true)
    case 1: .seek(Requests.film, to: place, immediately: true)
    default: .pause(Requests.film, at: place)
    }
  }

  private static let films = (1...3).map { number in
    MediaItem(
      item: ItemID("film-\(number)"), title: "Film \(number)",
      url: "https://media.example/films/\(number).mp4")
  }

  private func peer(_ place: Int) -> PeerID {
    PeerID(slot: UInt32(place), generation: 0)
  }

  private func say(_ request: Request, by place: Int) {
    take(.received(peer(place), requests.next(request)))
  }
}

// MARK: Inputs and appends

extension JournalAuthor: JournalDelegate {
  /// Handles an input, and continues at once as if all appends were stored already; they will be.
  private func take(_ input: Input) {
    now = now + .microseconds(1)
    coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in entropy.next() })
    var outputs = coordinator.handle(input, at: now)
    var next = 0
    while next < outputs.count {
      switch outputs[next] {
      case .append(let append):
        note(append)
        journal.append(append)
        outputs += coordinator.handle(.appended(append, .kept), at: now)
      case .snapshot(let state): journal.snapshot(state)
      case .forget(let aggregate): journal.forget(aggregate)
      case .send(.answer(_, .activated(let session, _, _)), _): activated = session
      case .send, .publish, .audience, .close, .shut, .warn, .push, .drain: break
      }
      next += 1
    }
  }

  private func note(_ append: Append) {
    waiting += 1
    let count = append.steps.reduce(0) { $0 + $1.events.count }
    eventCount += count
    guard case .session(let session) = append.aggregate else { return }
    let place = places[session] ?? sessions.count
    if place == sessions.count {
      places[session] = place
      sessions.append(Showing(first: place * Self.sessionSize))
    }
    sessions[place].eventCount += count
  }

  func journal(
    _ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome,
    after time: Duration
  ) {
    waiting -= 1
    if outcome != .kept { stage.fail(.journal("an append was not kept")) }
    if waiting == 0 { stage.nudge() }
  }

  func journal(_ journal: any Journal, isUnreachableBecause reason: String?) {}

  func journal(_ journal: any Journal, clockIsAheadBy difference: Duration?) {}

  func journal(_ journal: any Journal, isFailingWith reason: String?) {
    if let reason { stage.fail(.journal(reason)) }
  }

  func journalDidMeasure(_ journal: any Journal) {}

  func journalIsReplaced(_ journal: any Journal, because reason: String) {}
}

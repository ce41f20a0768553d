import Coordination
import EventLoops
import GroupSessions
import Journals
import Playback
import Vocabulary
import Wire

/// Fills a journal's file with sessions as people make them: a coordinator of this process hears
/// what thousands of peers would say, and a durable journal keeps what follows.
///
/// Confined to its loop's thread.
final class JournalAuthor {
  /// Events that were handed over to be kept.
  private(set) var eventCount = 0
  private(set) var sessionCount = 0
  private let stage: Stage
  private let journal: SQLiteJournal
  private var coordinator = Coordinator(limits: limits)
  private var requests = Requests()
  private var now: Instant
  private var entropy = SplitMix64(seed: 1)
  /// Events of the session at hand.
  private var sessionEventCount = 0
  private var session: SessionID?
  private var waiting = 0

  static let sessionSize = 5
  /// A session has at least so many events, more than there are between two snapshots, and up to
  /// 36 more, so that what lies behind the snapshot differs.
  private static let shortestSession = 70
  private static let sessionLengths = 37
  /// Appends that may wait to be written: a transaction of some size, and memory that stays small.
  private static let waitingMaximum = 2_000

  private static let limits: Limits = {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    limits.peers = 1_000_000
    limits.groups = 100_000
    return limits
  }()

  /// Begins to write to a file that is not there yet.
  init(_ path: String, on stage: Stage) throws(BenchError) {
    self.stage = stage
    let start = WallClock.read() - .seconds(86_400)
    now = start
    do {
      let file = try JournalFile(
        path, retention: .seconds(30 * 86_400), limits: Self.limits, at: start)
      journal = try SQLiteJournal(file, on: stage.loop)
    } catch {
      throw .journal("\(error)")
    }
    journal.delegate = self
  }

  /// Adds sessions until there are that many.
  func write(sessions count: Int) throws(BenchError) {
    while sessionCount < count {
      addSession()
      sessionCount += 1
      if waiting > Self.waitingMaximum { try settle() }
    }
    try settle()
  }

  /// Closes the file.
  func close() {
    journal.close()
  }

  private func settle() throws(BenchError) {
    try stage.wait(for: "a journal to be written") { waiting == 0 }
  }
}

@available(*, unavailable)
extension JournalAuthor: Sendable {}

// MARK: What people do

extension JournalAuthor {
  private func addSession() {
    let first = sessionCount * Self.sessionSize
    let places = first..<first + Self.sessionSize
    sessionEventCount = 0
    session = nil
    for place in places {
      take(.connected(peer(place)))
      take(.received(peer(place), Requests.hello(place)))
      say(.joinGroup(GroupID("evening-\(sessionCount)")), by: place)
    }
    say(.activate(Activation(Requests.activity)), by: first)
    for place in places {
      guard let session else { return }
      say(.join(session, handoffFrom: nil), by: place)
      say(.playback(nil, .transition(to: Requests.film)), by: place)
    }
    say(.queue(nil, .insert(Self.films, at: .end)), by: first)
    let goal = Self.shortestSession + sessionCount % Self.sessionLengths
    var turn = 0
    while sessionEventCount < goal {
      say(.playback(nil, command(turn)), by: first + turn % Self.sessionSize)
      turn += 1
    }
  }

  /// Somebody starts it, somebody moves it, somebody stops it.
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

// MARK: What becomes of it

extension JournalAuthor: JournalDelegate {
  /// Takes an input in and goes on at once, as if all were kept already: it will be.
  private func take(_ input: Input) {
    now = now + .milliseconds(1)
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
      case .send(.answer(_, .activated(let session, _, _)), _): self.session = session
      case .send, .close, .warn, .push: break
      }
      next += 1
    }
  }

  private func note(_ append: Append) {
    waiting += 1
    eventCount += append.events.count
    if case .session = append.aggregate { sessionEventCount += append.events.count }
  }

  func journal(_ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome) {
    waiting -= 1
    if outcome != .kept { stage.fail(.journal("an append was not kept")) }
    if waiting == 0 { stage.nudge() }
  }

  func journal(_ journal: any Journal, isFailingWith reason: String?) {
    if let reason { stage.fail(.journal(reason)) }
  }
}

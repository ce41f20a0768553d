import GroupSessions
import Playback
package import Vocabulary
import Wire

/// "Start when all are ready" in one session, as one participant has it: a value without a clock.
///
/// Who has asked for it counts down, and everybody sees it. Whoever becomes unready stops the countdown,
/// a newcomer too; whoever steers ends the wish. Only the client that asked presses play. The page for
/// browsers keeps the same rules, which the cases in `Tests/Browser/Cases/ready-start.json` describe.
struct ReadyStart: Equatable, Sendable {
  /// What the client is to do.
  enum Order: Equatable, Sendable {
    case tell(CountdownLine)
    case play
  }

  /// How long the countdown takes: enough to take a seat.
  static let countdown = Duration.seconds(3)

  private let me: ParticipantID
  /// Who is connected, and whether they are ready.
  private var people: [ParticipantID: Bool] = [:]
  /// What everybody sees; `nil` while nobody wants it.
  private(set) var shown: Client.StartCountdown?

  init(_ me: ParticipantID) { self.me = me }

  /// When ``tick(at:)`` is due.
  var nextDeadline: Instant? { isOwn ? shown?.starts : nil }

  private var isOwn: Bool { shown?.by == me }
  private var areReady: Bool { !people.isEmpty && people.values.allSatisfy(\.self) }

  /// This person asks for it; the last one who does counts.
  mutating func ask(at now: Instant) -> [Order] {
    shown = Client.StartCountdown(by: me)
    return areReady ? begin(at: now) : [.tell(.wanted)]
  }

  /// This person takes it back, whoever asked.
  mutating func takeBack() -> [Order] {
    guard shown != nil else { return [] }
    shown = nil
    return [.tell(.takenBack)]
  }

  /// Takes who is connected, and whether they are ready.
  mutating func meet(_ people: [ParticipantID: Bool], at now: Instant) -> [Order] {
    self.people = people
    guard let shown else { return [] }
    if people[shown.by] == nil {
      self.shown = nil
    } else if !areReady, shown.starts != nil {
      self.shown?.starts = nil
      if isOwn { return [.tell(.wanted)] }
    } else if areReady, isOwn, shown.starts == nil {
      return begin(at: now)
    }
    return []
  }

  /// Takes what another participant told.
  mutating func hear(_ line: CountdownLine, from other: ParticipantID) {
    guard other != me, people[other] != nil else { return }
    shown =
      switch line {
      case .takenBack: nil
      case .wanted: Client.StartCountdown(by: other)
      case .starts(let instant): Client.StartCountdown(by: other, starts: instant)
      }
  }

  /// Somebody plays, pauses, seeks or chooses something else.
  mutating func steer() { shown = nil }

  /// Plays once the countdown is over.
  mutating func tick(at now: Instant) -> [Order] {
    guard let due = nextDeadline, now >= due else { return [] }
    shown = nil
    return [.play]
  }

  private mutating func begin(at now: Instant) -> [Order] {
    let start = now + Self.countdown
    shown = Client.StartCountdown(by: me, starts: start)
    return [.tell(.starts(start))]
  }
}

extension Client {
  /// "Start when all are ready", as everybody sees it.
  package struct StartCountdown: Equatable, Sendable {
    /// Who asked for it.
    package let by: ParticipantID
    /// When it starts; `nil` while somebody is not ready.
    package var starts: Instant?
  }

  /// The person asks for a start when all are ready, and is ready; or takes the wish back.
  ///
  /// Spectators can do neither.
  mutating func askForCountdown(_ isWanted: Bool, of session: SessionID?) {
    guard let moment = instant(at: now), let seat, seat.isJoined, session ?? seat.id == seat.id,
      let me = seat.participant.flatMap({ seat.session?.participants[$0] })
    else { return }
    if isWanted {
      changeCountdown { $0.ask(at: moment) }
      if me.isReadyToStart != true { askOwn(.setReadyToStart(seat.id, true), .nobody) }
    } else {
      changeCountdown { $0.takeBack() }
    }
  }

  /// Takes an event of the session, after which the session is like this.
  mutating func noteCountdown(_ event: SessionEvent?, _ session: GroupSession) {
    guard let moment = instant(at: now) else { return }
    if seat?.readyStart == nil, let me = seat?.participant { seat?.readyStart = ReadyStart(me) }
    let people = session.participants.values.filter {
      !$0.isKeeper && session.lost[$0.id] == nil
    }
    let readiness = people.map { ($0.id, $0.isReadyToStart == true) }
    changeCountdown { start in
      if event?.isSteering == true { start.steer() }
      return start.meet(Dictionary(readiness) { $1 }, at: moment)
    }
  }

  /// Takes what another participant told.
  mutating func hear(_ line: CountdownLine, from other: ParticipantID) {
    changeCountdown { start in
      start.hear(line, from: other)
      return []
    }
  }

  /// Starts, once the countdown is over.
  mutating func tickCountdown() {
    guard let moment = instant(at: now) else { return }
    changeCountdown { $0.tick(at: moment) }
  }

  var countdownDeadline: HostTime? {
    guard let due = seat?.readyStart?.nextDeadline else { return nil }
    return clock?.hostTime(of: due)
  }

  private mutating func changeCountdown(_ change: (inout ReadyStart) -> [ReadyStart.Order]) {
    guard let seat, var start = seat.readyStart else { return }
    let before = start.shown
    let orders = change(&start)
    self.seat?.readyStart = start
    for order in orders {
      switch order {
      case .tell(let line): askOwn(.send(seat.id, line.payload, to: .all), .nobody)
      case .play:
        guard let item = seat.session?.activity.media?.item else { continue }
        askOwn(.playback(seat.id, .play(item)), .nobody)
      }
    }
    if start.shown != before { publish(.countdown(start.shown), of: seat.id) }
  }
}

extension SessionEvent {
  /// Whether somebody plays, pauses, seeks or chooses something else.
  fileprivate var isSteering: Bool {
    switch self {
    case .activitySet, .playback(.itemAdvanced): true
    case .queue(.selected, _): true
    case .playback(.timelineSet(_, _, _, let action, _)): action != .propose && action != .freeze
    default: false
    }
  }
}

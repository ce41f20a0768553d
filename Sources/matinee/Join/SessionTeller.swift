import MatineeClient
import MatineeTerminal
import Participation
import Scenarios
import Stages

/// Follows a client's sessions, one at a time, and prints what happens as lines.
@MainActor
final class SessionTeller {
  /// The current session, waiting or joined, or otherwise the last one.
  private(set) var session: JoinedSession?
  private var heard = HeardLines()
  private let client: GroupWatchClient
  /// Whether the person is asked before they join what others start.
  private let asks: Bool
  private let voice: JoinVoice
  private var tasks: [Task<Void, Never>] = []
  /// The names of the session's participants, including those who left.
  private var names: [ParticipantID: String] = [:]
  private var lastOffer = ""
  /// Whether an audience was told.
  private var hasAudience = false
  private var lastPhase = ""
  private var countdown: StartCountdown?
  private var lastTitle = ""

  /// A smaller error is corrected without a line, because nobody sees or hears it.
  private static let noticeable = Duration.milliseconds(40)

  init(_ client: GroupWatchClient, _ voice: JoinVoice, asks: Bool) {
    self.client = client
    self.asks = asks
    self.voice = voice
  }

  /// The session while this device is joined; otherwise `nil`.
  var joined: JoinedSession? { session?.state.current == .joined ? session : nil }

  /// Whether this device has a staged, waiting or joined session.
  var isOccupied: Bool {
    switch session?.state.current {
    case nil, .invalidated?: false
    case .staged?, .waiting?, .joined?: true
    }
  }

  /// Whether the joined session is a room that is kept for those who come by Syncplay, with nothing
  /// on yet.
  var awaitsMedia: Bool {
    guard let joined, joined.activity.media == nil else { return false }
    return joined.activeParticipants.current.contains(where: \.isKeeper)
  }

  /// The participants, ordered by name; keepers are left out.
  var people: [Participant] {
    (joined?.activeParticipants.current ?? []).filter { !$0.isKeeper }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// What a participant is called; `nil` for one who is not present.
  private func called(_ id: ParticipantID) -> String? {
    let people = people
    guard let participant = people.first(where: { $0.id == id }) else { return nil }
    return ShownNames(people.map(\.shownName)).text(of: participant.shownName)
  }

  /// Follows this session instead of the previous one.
  ///
  /// - Parameter onState: called for each state of the session, after its lines are printed.
  func follow(_ session: JoinedSession, onState: @escaping @MainActor (SessionState) -> Void) {
    for task in tasks { task.cancel() }
    self.session = session
    (names, lastPhase, lastTitle, countdown) = ([:], "", "", nil)
    let playback = PlaybackCoordinator(session: session)
    tasks = [
      each(of: session.activeParticipants.values) { teller, roster in
        for participant in roster { teller.names[participant.id] = participant.name }
      },
      each(of: session.state.values) { teller, state in
        teller.tell(state, of: session)
        onState(state)
      },
      each(of: session.activities) { $0.tell($1, of: session) },
      each(of: playback.status.values) { $0.tell($1) },
      each(of: playback.corrections) { teller, correction in
        guard correction.error.magnitude >= Self.noticeable else { return }
        let error = correction.error.millisecondsText
        teller.voice.say("  (\(correction.kind.text), it was off by \(error))")
      },
      each(of: session.startCountdown.values) { $0.tell($1) },
      each(of: session.audience.values) { $0.tell($1) },
      each(of: session.notices) { $0.voice.say($1.line(isSpectator: session.isSpectator)) },
      each(of: GroupSessionMessenger(session: session).chat) { teller, message in
        teller.heard.add(message.text)
        let when = message.isEarlier ? "earlier, " : ""
        let name = teller.called(message.source) ?? message.name
        let place = message.isPrivate ? " (to you)" : ""
        teller.voice.say("\(when)\(name)\(place): \(message.text)")
      },
    ]
  }

  private func tell(_ size: AudienceSize) {
    guard size.count > 0 || hasAudience else { return }
    hasAudience = true
    voice.say("watching besides: \(size.count)")
  }

  private func tell(_ next: StartCountdown?) {
    defer { countdown = next }
    if let next {
      let when = next.starts == nil ? "when all are ready" : "in 3 s"
      voice.say("\(next.name) starts it \(when) (`countdown off` takes it back)")
    } else if countdown?.starts == nil, countdown != nil {
      voice.say("nobody waits for a start any more")
    }
  }

  private func each<Element: Sendable>(
    of elements: some AsyncSequence<Element, Never> & Sendable,
    _ body: @escaping @MainActor (SessionTeller, Element) -> Void
  ) -> Task<Void, Never> {
    Task { [weak self] in
      for await element in elements {
        guard let self else { return }
        body(self, element)
      }
    }
  }

  // MARK: Lines

  private func tell(_ state: SessionState, of session: JoinedSession) {
    switch state {
    case .staged, .waiting: tellOffer(of: session)
    case .joined:
      for participant in session.activeParticipants.current {
        names[participant.id] = participant.name
      }
      let people = people.map(\.shownName)
      let names = people.map(ShownNames(people).text(of:)).joined(separator: ", ")
      voice.say("joined\(session.isSpectator ? " the audience" : ""); watching: \(names)")
      tell(session.activity, of: session)
    case .invalidated(let reason):
      voice.say("the session is over for you: \(reason.text { names[$0] ?? "somebody" })")
    }
  }

  /// Whether this session waits for the person to join it.
  private func isAsked(of session: JoinedSession) -> Bool { asks && !session.isLocallyInitiated }

  private func tellOffer(of session: JoinedSession) {
    let (title, name) = (session.activity.metadata.title, session.initiator.name)
    let text =
      session.state.current == .staged
      ? "\(name) prepared “\(title)”; `begin` starts it"
      : "\(name) started “\(title)”" + (isAsked(of: session) ? "; `join` joins" : "")
    guard lastOffer != session.id.text + text else { return }
    lastOffer = session.id.text + text
    voice.say(text)
  }

  private func tell(_ activity: AnyGroupActivity, of session: JoinedSession) {
    switch session.state.current {
    case .staged, .waiting: tellOffer(of: session)
    case .joined where activity.title != lastTitle:
      lastTitle = activity.title
      voice.say("on: “\(activity.title)”")
    case .joined, .invalidated: break
    }
  }

  /// Prints one line for each change of phase, not one for each event that leads to it.
  private func tell(_ status: PlaybackStatus?) {
    guard let status else { return }
    var text = status.phaseText
    if !status.waitingFor.isEmpty {
      text += ", waiting for \(status.waitingFor.map(\.text).joined(separator: ", "))"
    }
    guard text != lastPhase else { return }
    lastPhase = text
    voice.say(text)
  }

  // MARK: The state

  /// Fills in the observable state of the session.
  func fill(_ seen: inout Observation) {
    seen.heard = heard.texts
    switch session?.state.current {
    case nil: seen.session = .none
    case .staged?: seen.session = .staged
    case .waiting?: if seen.session != .joining { seen.session = .offered }
    case .joined?: seen.session = .joined
    case .invalidated(let reason)?:
      seen.session = reason.observed { names[$0] }
    }
    if let joined { seen.fill(joined) }
  }

  /// Lines that list the participants, the playback state and the queue, or what waits for the
  /// person to join or begin it.
  func stateLines() async -> [String] {
    guard let session = joined else {
      let names = client.groupState.group.current?.peopleNames ?? []
      let place = names.isEmpty ? "in no group" : "in the group: \(names.joined(separator: ", "))"
      return [place] + offerLines
    }
    let now = await client.groupClock()?.now()
    var lines = ["“\(session.activity.title)”"]
    if let status = PlaybackCoordinator(session: session).status.current, let now {
      lines[0] += ", \(status.text(at: now))"
    }
    var table = TextTable("NAME", "ROLE", "STATE")
    let people = people
    let names = ShownNames(people.map(\.shownName))
    for participant in people {
      let isMe = participant.id == session.localParticipant?.id
      table.add(
        names.text(of: participant.shownName) + (isMe ? " (you)" : ""), participant.role.rawValue,
        participant.stateText(watching: session.activity.media?.item, at: now))
    }
    return lines + table.lines.map { "  " + $0 } + queueLines
  }

  /// What the person can join or begin.
  private var offerLines: [String] {
    guard let session else { return [] }
    let (title, name) = (session.activity.metadata.title, session.initiator.name)
    return switch session.state.current {
    case .staged where session.isLocallyInitiated:
      ["you prepared “\(title)”; `begin` starts it, `withdraw` takes it back"]
    case .staged: ["\(name) prepared “\(title)”; `begin` starts it"]
    case .waiting: ["\(name) watches “\(title)”; `join` joins"]
    case .joined: []
    // The library offers a session once.
    case .invalidated where client.groupState.group.current?.session == session.id:
      ["the group watches “\(title)”; `join` joins"]
    case .invalidated: []
    }
  }

  /// The queue; nothing if it holds no more than what is on.
  private var queueLines: [String] {
    guard let queue = joined?.queue.state.current else { return [] }
    return QueueText(queue.entries, current: queue.current).lines
  }

  /// What `queue` alone prints.
  func queueAnswer() throws -> [String] {
    guard joined != nil else { throw NotNow("notJoined") }
    return queueLines.isEmpty ? ["nothing else is in the queue"] : queueLines
  }
}

/// The last lines of chat that were received, which conditions may name.
struct HeardLines: Sendable {
  /// The maximum number of lines: more than a conversation has while a condition waits.
  static let limit = 1_000

  /// The lines, the oldest first.
  private(set) var texts: [String] = []

  mutating func add(_ text: String) {
    texts.append(text)
    if texts.count > Self.limit { texts.removeFirst() }
  }
}

extension GroupSessionNotice {
  /// The notice, and what helps.
  fileprivate func line(isSpectator: Bool) -> String {
    guard case .unplayable = action else { return description }
    // The server has no suspension of a spectator that could end.
    let again = isSpectator ? "`leave` and `join` try again" : "`resume` tries again"
    return "\(description); `item FILE` opens your copy, \(again)"
  }
}

extension GroupSummary {
  /// The members' names, sorted; keepers are left out.
  var peopleNames: [String] {
    let names = members.filter { !$0.isKeeper }.map(\.shownName)
    return names.map(ShownNames(names).text(of:)).sorted()
  }
}

extension Participant {
  /// A short text about what the participant does and, if known, whether they are ready.
  fileprivate func stateText(watching media: ItemID?, at now: Instant?) -> String {
    guard let isReadyToStart else { return deedText(watching: media, at: now) }
    return deedText(watching: media, at: now) + (isReadyToStart ? ", ready" : ", not ready")
  }

  private func deedText(watching media: ItemID?, at now: Instant?) -> String {
    guard isConnected else { return "lost" }
    if let suspension = suspensions.first {
      return now.map(isAway(at:)) == true ? "away" : suspension.reason.spokenText
    }
    guard let item else { return "loading" }
    if let media, item != media { return "watching “\(item)”" }
    return "watching\(excessLength.map { " a copy that is \($0.comparisonText)" } ?? "")"
  }
}

extension AwaitedParticipant {
  /// The name, and why it is not there if its person or app said so: `Ben (buffering)`.
  fileprivate var text: String {
    let reasons = suspensionReasons.map(\.spokenText).sorted()
    return reasons.isEmpty ? name : "\(name) (\(reasons.joined(separator: ", ")))"
  }
}

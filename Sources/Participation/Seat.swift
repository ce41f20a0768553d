package import GroupSessions
import Playback
package import Vocabulary
import Wire

/// This device's participation in one session, from the request to join.
struct Seat: Equatable, Sendable {
  enum Stage: Equatable, Sendable {
    /// The join is pending; it is abandoned at this time.
    case joining(until: HostTime)
    case joined
  }

  let id: SessionID
  private(set) var stage: Stage
  /// Whether the app does not know the session yet, because it was not offered here.
  private(set) var isUnannounced = false
  /// Whether the server confirmed the participation, so that only the snapshot is missing.
  private(set) var isConfirmed = false
  /// The mirror of the session, advanced by the server's numbered events.
  private(set) var session: GroupSession?
  /// This device's participant.
  private(set) var participant: ParticipantID?
  /// How many watch as the session's audience.
  private(set) var audience = AudienceSize()
  /// "Start when all are ready"; `nil` until this device has joined.
  var readyStart: ReadyStart?
  /// Whether this spectator joins again because the server has forgotten it.
  private(set) var isReturning = false
  /// The deadline for the session's state after the server resumed the connection.
  private var resyncDue: HostTime?

  /// A seat in a session that this device asks to join.
  init(joining id: SessionID, until limit: HostTime) {
    self.id = id
    stage = .joining(until: limit)
  }

  /// A seat in a session of which the server has made this device a participant.
  init(confirmed id: SessionID, isUnannounced: Bool, until limit: HostTime) {
    self.init(joining: id, until: limit)
    self.isUnannounced = isUnannounced
    isConfirmed = true
  }

  var me: CoordinatedParticipant? {
    guard let participant else { return nil }
    return session?.playback.participants[participant]
  }

  var isJoined: Bool { stage == .joined }

  /// Whether this device watches without a named place, in the session's audience.
  var isSpectator: Bool {
    guard isJoined, let session, session.hasAudience, let participant else { return false }
    return session.participants[participant] == nil
  }

  var nextDeadline: HostTime? {
    if case .joining(let moment) = stage { moment } else { resyncDue }
  }

  /// Takes the session's whole state, which ends every wait for it.
  mutating func enter(_ snapshot: SessionSnapshot) {
    if participant != snapshot.participant { readyStart = nil }
    (session, participant, stage) = (snapshot.session, snapshot.participant, .joined)
    (isUnannounced, isReturning, resyncDue) = (false, false, nil)
  }

  /// Takes the session's next event.
  mutating func evolve(_ event: SessionEvent, at instant: Instant) {
    resyncDue = nil
    session?.evolve(event, at: instant)
  }

  /// Takes the size of the audience, which a spectator is told behind all that it missed.
  mutating func hear(_ size: AudienceSize) { (audience, resyncDue) = (size, nil) }

  /// Waits until then for what this device missed.
  mutating func expectState(until limit: HostTime) { resyncDue = limit }

  /// Joins again as a spectator, until then.
  mutating func comeBack(until limit: HostTime) { (isReturning, resyncDue) = (true, limit) }

  /// Waits for nothing, because the next connection asks for the state anew.
  mutating func loseConnection() { if !isReturning { resyncDue = nil } }
}

extension GroupSession {
  /// Whether a participant has another item current than those who watch the activity's item.
  package func watchesAnother(_ id: ParticipantID) -> Bool {
    guard let shared = activity.media?.item, let item = playback.participants[id]?.item,
      item != shared
    else { return false }
    return playback.participants.firstValue { $0.item == shared && $0.isConnected } != nil
  }

  /// How much longer a participant's copy of its current item is than the group's duration.
  ///
  /// Negative if the copy is shorter; `nil` if no difference is known.
  package func excessLength(of id: ParticipantID) -> Duration? {
    playback.participants[id]?.item.flatMap { excessLength(of: id, on: $0) }
  }

  func excessLength(of id: ParticipantID, on item: ItemID) -> Duration? {
    guard let timeline = playback.timelines[item], let believed = timeline.duration,
      let own = timeline.doubts[id], (own - believed).magnitude > Timeline.lengthTolerance
    else { return nil }
    return own - believed
  }
}

extension Duration {
  /// The difference to 0.1 s, such as `3.2 s longer`.
  package var comparisonText: String {
    let tenths = (magnitude + .milliseconds(50)).microseconds / 100_000
    let (seconds, rest) = (tenths / 10, tenths % 10)
    let length = rest == 0 ? "\(seconds) s" : "\(seconds).\(rest) s"
    return "\(length) \(self < .zero ? "shorter" : "longer")"
  }
}

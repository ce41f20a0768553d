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
  var stage: Stage
  /// Whether the app does not know the session yet, because it was not offered here.
  var isUnannounced = false
  /// Whether the server confirmed the participation, so that only the snapshot is missing.
  var isConfirmed = false
  /// The mirror of the session, advanced by the server's numbered events.
  var session: GroupSession?
  /// This device's participant.
  var participant: ParticipantID?
  /// How many watch as the session's audience.
  var audience = AudienceSize()
  /// "Start when all are ready"; `nil` until this device has joined.
  var readyStart: ReadyStart?
  /// Whether this spectator joins again because the server has forgotten it.
  var isReturning = false
  /// The deadline for the session's state after the server resumed the connection.
  var resyncDue: HostTime?

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
}

extension Client {
  /// A session that this device activates again once it is eligible.
  struct Revival: Equatable, Sendable {
    /// Longer than a server restart, shorter than people wait in front of a still picture.
    static let patience = Duration.seconds(120)

    let activation: Activation
    /// The session's queue with its current entry.
    let queue: Queue
    /// When the revival expires.
    let until: HostTime
  }

  /// Keeps a session for revival if its server restarted and this device started the session.
  ///
  /// Only the device that started it does this; otherwise several devices would each activate one.
  mutating func keepRevival(of session: GroupSession, after reason: InvalidationReason) {
    guard settings.revivesSessions, session.initiator.device == device else { return }
    switch reason {
    case .serverRestarted, .ended(.serverShutdown): break
    default: return
    }
    let activation = Activation(
      session.activity, control: session.control,
      waitingPolicy: session.playback.waitingPolicy, dismissalPolicy: session.dismissalPolicy,
      initialTiming: timing(of: session), oneDevicePerUser: session.oneDevicePerUser,
      hasAudience: session.hasAudience)
    revival = Revival(
      activation: activation, queue: session.queue, until: now + Revival.patience)
  }

  /// The current position of the activity's item, and its rate if it is playing.
  private func timing(of session: GroupSession) -> ProposedTiming? {
    guard let item = session.activity.media?.item, let moment = instant(at: now),
      let timeline = session.playback.timelines[item]
    else { return nil }
    let place = timeline.position(at: moment)
    return switch timeline.phase {
    case .playing, .preparing: ProposedTiming(mediaTime: place, rate: timeline.rate)
    case .paused, .ended: ProposedTiming(mediaTime: place)
    }
  }

  /// Activates the kept session again, once this device is eligible.
  mutating func reviveSession() {
    guard let revival else { return }
    self.revival = nil
    guard now <= revival.until, seat == nil, offer == nil else { return }
    restoration = revival.queue
    askOwn(.activate(revival.activation), .nobody)
  }

  // MARK: The queue

  /// Restores the queue of a session that this device activated again, once it has joined.
  ///
  /// The current entry is in the queue already. The others are inserted behind it, in requests of
  /// a size that the server accepts.
  mutating func beginRestoring(of session: GroupSession) {
    guard let old = restoration else { return }
    guard session.initiator.device == device, session.queue.entries.count <= 1,
      session.queue.currentEntry?.media.item == old.currentEntry?.media.item
    else { return restoration = nil }
    let others = old.entries.filter { $0.id != old.current }.map(\.media)
    for start in stride(from: 0, to: others.count, by: Self.entriesInLine) {
      let media = Array(others[start..<min(start + Self.entriesInLine, others.count)])
      askOwn(.queue(session.id, .insert(media, at: .end)), .restoration)
    }
    if old.repeatMode != .off {
      askOwn(.queue(session.id, .setRepeat(old.repeatMode)), .nobody)
    }
    if !old.isAutoAdvancing { askOwn(.queue(session.id, .setAutoAdvance(false)), .nobody) }
    if others.isEmpty { restoration = nil }
  }

  /// The number of entries per request.
  ///
  /// An entry with the longest URL, item and title takes about 7 KiB with its interstitials; a
  /// request holds 128 KiB.
  private static var entriesInLine: Int { 16 }

  /// Moves the current entry to its former index, once all others are restored.
  mutating func finishRestoring() {
    guard let old = restoration, let session = seat?.session,
      session.queue.entries.count >= old.entries.count
    else { return }
    restoration = nil
    guard let current = old.current,
      let place = old.entries.firstIndex(where: { $0.id == current }),
      place > 0, let mine = session.queue.current, session.queue.entries.first?.id == mine
    else { return }
    let before = session.queue.entries[place].id
    askOwn(.queue(session.id, .move(mine, to: .after(before))), .nobody)
  }
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

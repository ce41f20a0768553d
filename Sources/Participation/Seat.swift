package import GroupSessions
import Playback
package import Vocabulary
import Wire

/// This device's place in one session, from the wish to join.
struct Seat: Equatable, Sendable {
  enum Stage: Equatable, Sendable {
    /// The join is under way, until it is given up.
    case joining(until: HostTime)
    case joined
  }

  let id: SessionID
  var stage: Stage
  /// Whether the app knows nothing of the session yet: nobody offered it here.
  var isUnannounced = false
  /// Whether the server has said that this device takes part, and only the session is awaited.
  var isConfirmed = false
  /// The session as this device knows it, evolved by the server's numbered events.
  var session: GroupSession?
  /// Which participant this device is.
  var participant: ParticipantID?
  /// When a server that took the connection back must have said where the session stands.
  var resyncDue: HostTime?

  var me: CoordinatedParticipant? {
    guard let participant else { return nil }
    return session?.playback.participants[participant]
  }

  var isJoined: Bool { stage == .joined }

  var nextDeadline: HostTime? {
    if case .joining(let moment) = stage { moment } else { resyncDue }
  }
}

extension Client {
  /// What is to be activated again once the group is back together.
  struct Revival: Equatable, Sendable {
    /// Longer than a server takes to restart, shorter than people wait in front of a still picture.
    static let patience = Duration.seconds(120)

    let activation: Activation
    /// What was watched and what was to come.
    let queue: Queue
    /// Until when.
    let until: HostTime
  }

  /// Keeps what is needed to begin a session again, if its server went and it is this device's.
  ///
  /// Only the device that started it does so: two that did would each make one.
  mutating func keepRevival(of session: GroupSession, after reason: InvalidationReason) {
    guard settings.revivesSessions, session.initiator.device == settings.device else { return }
    switch reason {
    case .serverRestarted, .ended(.serverShutdown): break
    default: return
    }
    let activation = Activation(
      session.activity, control: session.control,
      waitingPolicy: session.playback.waitingPolicy, dismissalPolicy: session.dismissalPolicy,
      initialTiming: timing(of: session), oneDevicePerUser: session.oneDevicePerUser)
    revival = Revival(
      activation: activation, queue: session.queue, until: now + Revival.patience)
  }

  /// Where the activity's item stands now, and whether it runs.
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

  /// Begins the kept session again: this device can take part in one.
  mutating func reviveSession() {
    guard let revival else { return }
    self.revival = nil
    guard now <= revival.until, seat == nil, offer == nil else { return }
    restoration = revival.queue
    askOwn(.activate(revival.activation), .nobody)
  }

  // MARK: The queue

  /// Puts back the queue of a session that this device began again, once it takes part.
  ///
  /// The entry that is on stands there already; the others go behind it, in lines as long as a
  /// server takes.
  mutating func beginRestoring(of session: GroupSession) {
    guard let old = restoration else { return }
    guard session.initiator.device == settings.device, session.queue.entries.count <= 1,
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

  /// An entry with the longest URL, item and title takes some 7 KiB with its advertisements; a line
  /// takes 128.
  private static var entriesInLine: Int { 16 }

  /// All others are back: the entry that is on goes to its place among them.
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
  /// Whether a participant has another item current than those who watch what the session is about.
  package func watchesAnother(_ id: ParticipantID) -> Bool {
    guard let shared = activity.media?.item, let item = playback.participants[id]?.item,
      item != shared
    else { return false }
    return playback.participants.firstValue { $0.item == shared && $0.isConnected } != nil
  }

  /// How much longer a participant's copy of its current item is than the group believes, or shorter
  /// where it is negative; `nil` where they are the same as far as is known.
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
  /// Such as `3.2 s longer`, to the tenth of a second.
  package var comparisonText: String {
    let tenths = (magnitude + .milliseconds(50)).microseconds / 100_000
    let (seconds, rest) = (tenths / 10, tenths % 10)
    let length = rest == 0 ? "\(seconds) s" : "\(seconds).\(rest) s"
    return "\(length) \(self < .zero ? "shorter" : "longer")"
  }
}

import GroupSessions
import Playback
import Vocabulary
import Wire

/// A session that its server lost, which this device activates again, and the session's queue.
struct Revival: Equatable, Sendable {
  /// A session that is to be activated again.
  private struct Lost: Equatable, Sendable {
    let activation: Activation
    /// The session's queue with its current entry.
    let queue: Queue
    /// When it is too late.
    let until: HostTime
  }

  /// Longer than a server restart, shorter than people wait in front of a still picture.
  private static let patience = Duration.seconds(120)
  /// The number of entries per request.
  ///
  /// An entry with the longest URL, item and title takes about 7 KiB with its interstitials; a
  /// request holds 128 KiB.
  private static let entriesPerRequest = 16

  private var lost: Lost?
  /// The queue of a session that was activated again, until the queue is restored.
  private var queue: Queue?

  /// Keeps a session that its server lost at this position of its item.
  mutating func keep(_ session: GroupSession, _ timing: ProposedTiming?, at now: HostTime) {
    let activation = Activation(
      session.activity, control: session.control,
      waitingPolicy: session.playback.waitingPolicy, dismissalPolicy: session.dismissalPolicy,
      initialTiming: timing, oneDevicePerUser: session.oneDevicePerUser,
      hasAudience: session.hasAudience)
    lost = Lost(activation: activation, queue: session.queue, until: now + Self.patience)
  }

  /// Forgets the lost session, because the group offers another one.
  mutating func giveWay() { lost = nil }

  /// Forgets the lost session, and restores no queue.
  mutating func cancel() { (lost, queue) = (nil, nil) }

  /// Takes the lost session to activate it again; `nil` if it is too late, or if this device has
  /// joined another session or was offered one.
  mutating func take(ifFree isFree: Bool, at now: HostTime) -> Activation? {
    guard let lost else { return nil }
    self.lost = nil
    guard now <= lost.until, isFree else { return nil }
    queue = lost.queue
    return lost.activation
  }

  /// Restores the queue of a session that this device activated again, once it has joined.
  ///
  /// The current entry is in the queue already. The others are inserted behind it, in requests of
  /// a size that the server accepts.
  ///
  /// - Returns: the commands for it, each with its asker.
  mutating func begin(
    in session: GroupSession, on device: DeviceID
  ) -> [(command: QueueCommand, asker: Client.Asker)] {
    guard let old = queue else { return [] }
    guard session.initiator.device == device, session.queue.entries.count <= 1,
      session.queue.currentEntry?.media.item == old.currentEntry?.media.item
    else {
      queue = nil
      return []
    }
    let others = old.entries.filter { $0.id != old.current }.map(\.media)
    var commands: [(command: QueueCommand, asker: Client.Asker)] = []
    for start in stride(from: 0, to: others.count, by: Self.entriesPerRequest) {
      let media = Array(others[start..<min(start + Self.entriesPerRequest, others.count)])
      commands.append((.insert(media, at: .end), .restoration))
    }
    if old.repeatMode != .off { commands.append((.setRepeat(old.repeatMode), .nobody)) }
    if !old.isAutoAdvancing { commands.append((.setAutoAdvance(false), .nobody)) }
    if others.isEmpty { queue = nil }
    return commands
  }

  /// The command that moves the current entry to its former index, once all others are restored.
  mutating func finish(in session: GroupSession) -> QueueCommand? {
    guard let old = queue, session.queue.entries.count >= old.entries.count else { return nil }
    queue = nil
    guard let current = old.current,
      let index = old.entries.firstIndex(where: { $0.id == current }),
      index > 0, let mine = session.queue.current, session.queue.entries.first?.id == mine
    else { return nil }
    return .move(mine, to: .after(session.queue.entries[index].id))
  }
}

extension Client {
  /// Keeps a session for revival if its server restarted and this device started the session.
  ///
  /// Only the device that started it does this; otherwise several devices would each activate one.
  mutating func keepRevival(of session: GroupSession, after reason: InvalidationReason) {
    guard settings.revivesSessions, session.initiator.device == device else { return }
    switch reason {
    case .serverRestarted, .ended(.serverShutdown):
      revival.keep(session, timing(of: session), at: now)
    default: break
    }
  }

  /// The current position of the activity's item, and its rate if it is playing.
  private func timing(of session: GroupSession) -> ProposedTiming? {
    guard let item = session.activity.media?.item, let moment = instant(at: now),
      let timeline = session.playback.timelines[item]
    else { return nil }
    let position = timeline.position(at: moment)
    return switch timeline.phase {
    case .playing, .preparing: ProposedTiming(mediaTime: position, rate: timeline.rate)
    case .paused, .ended: ProposedTiming(mediaTime: position)
    }
  }

  /// Activates the kept session again, once this device is eligible.
  mutating func reviveSession() {
    let isFree = seat == nil && offer == nil
    if let activation = revival.take(ifFree: isFree, at: now) {
      askOwn(.activate(activation), .nobody)
    }
  }

  mutating func beginRestoring(of session: GroupSession) {
    for (command, asker) in revival.begin(in: session, on: device) {
      askOwn(.queue(session.id, command), asker)
    }
  }

  mutating func finishRestoring() {
    guard let session = seat?.session, let command = revival.finish(in: session) else { return }
    askOwn(.queue(session.id, command), .nobody)
  }
}

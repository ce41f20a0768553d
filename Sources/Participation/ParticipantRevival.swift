import GroupSessions
import Playback
import Vocabulary
import Wire

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

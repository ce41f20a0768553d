import GroupSessions
import Playback
import Vocabulary
import Wire

extension Participant {
  /// What is to be activated again once the group is back together.
  struct Revival: Equatable, Sendable {
    /// Longer than a server takes to restart, shorter than people wait in front of a still picture.
    static let patience = Duration.seconds(120)

    let activation: Activation
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
      waitingPolicy: session.playback.waitingPolicy, initialTiming: timing(of: session))
    revival = Revival(activation: activation, until: now + Revival.patience)
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
    askOwn(.activate(revival.activation), .nobody)
  }
}

package import GroupSessions
import Playback
package import Vocabulary

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

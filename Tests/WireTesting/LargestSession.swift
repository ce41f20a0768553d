package import GroupSessions
import Naming
import Playback
package import Vocabulary

extension GroupSession {
  /// A session whose participants and content are as large as the limits allow.
  package static func largest(_ limits: Limits = Limits()) -> GroupSession {
    let start = Instant(microseconds: 1_700_000_000_000_000)
    let url = "https://example.org/" + String(repeating: "u", count: limits.itemBytes - 20)
    let activity = GroupActivity(
      type: "watch",
      payload: JSONText(
        validated: "\"\(String(repeating: "p", count: limits.activityBytes - 2))\""),
      metadata: GroupActivityMetadata(title: String(repeating: "\"", count: limits.titleBytes)),
      media: MediaItem(url: url))
    var session = GroupSession(
      id: "s-1",
      SessionBeginning(
        group: "g", activity: activity,
        initiator: Identity(user: "ann", device: "ann", name: "Ann"), joinBy: start))
    session.fillTimelines(limits, named: url, at: start)
    session.fillParticipants(limits, at: start)
    session.fillQueue(limits, url: url, at: start)
    return session
  }

  private mutating func fillTimelines(_ limits: Limits, named url: String, at now: Instant) {
    let ranges = (0..<limits.interstitials).map { number in
      InterstitialRange(
        start: MediaTime(microseconds: Int64(number) * 2_000_000),
        end: MediaTime(microseconds: Int64(number) * 2_000_000 + 1_000_000))
    }
    for number in 0..<limits.timelines {
      let item = ItemID("\(url.dropLast(2))\(number)")
      evolve(
        .playback(
          .timelineSet(item, .paused(at: .zero), rate: .normal, action: .propose, by: nil)), at: now
      )
      guard let interstitials = Interstitials(ranges) else { return }
      evolve(.playback(.interstitialsDeclared(item, interstitials)), at: now)
    }
  }

  private mutating func fillParticipants(_ limits: Limits, at now: Instant) {
    for number in 0..<limits.participants {
      let id = ParticipantID("p-\(number)")
      let participant = Participant(
        id: id, user: UserID("user-\(number)"), device: DeviceID("device-\(number)"),
        name: String(repeating: "n", count: 100), role: .listener, joinedAt: now)
      let item = ItemID(String(repeating: "i", count: 90))
      evolve(.joined(participant), at: now)
      evolve(.playback(.itemSelected(item, by: id)), at: now)
      if size.participants > limits.participantBytes {
        return evolve(.left(id, .left), at: now)
      }
    }
  }

  private mutating func fillQueue(_ limits: Limits, url: String, at now: Instant) {
    for number in 0..<limits.queueEntries {
      let entry = QueueEntry(
        id: EntryID("e\(number + 2)"), media: MediaItem(item: ItemID("\(number)"), url: url),
        addedBy: "p-1")
      evolve(.queue(.inserted([entry], after: "e1"), by: "p-1"), at: now)
      if size.content > limits.sessionBytes {
        return evolve(.queue(.removed(entry.id), by: "p-1"), at: now)
      }
    }
  }
}

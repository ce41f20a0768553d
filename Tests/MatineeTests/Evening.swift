import GroupSessions
import Naming
import Playback
import Vocabulary

@testable import Journals

/// A session that two people had, for tests of how it is told.
enum Evening {
  static let began = Instant(microseconds: 1_795_273_445_000_000)
  static let ann = Identity(user: "ann", device: "ann-1", name: "Ann")
  static let ben = Identity(user: "ben", device: "ben-1", name: "Ben")
  static let film = MediaItem(item: "film", title: "The Film", url: "film.mp4")
  static let next = QueueEntry(
    id: "e2", media: MediaItem(item: "next.mp4", url: "next.mp4"), addedBy: "p-b")

  static let beginning = SessionBeginning(
    group: "friday",
    activity: GroupActivity(
      type: "watch", payload: JSONText(validated: "null"),
      metadata: GroupActivityMetadata(title: "Friday's film"),
      media: film),
    initiator: ann, joinBy: began + .seconds(60))

  static let events: [SessionEvent] = [
    .began(beginning),
    .joined(Participant(id: "p-a", identity: ann, role: .host, joinedAt: began + .seconds(1))),
    .joined(Participant(id: "p-b", identity: ben, role: .guest, joinedAt: began + .seconds(2))),
    .playback(.itemSelected("film", by: "p-a")),
    .playback(.timelineSet("film", .paused(at: .zero), rate: .normal, action: .propose, by: "p-a")),
    .playback(.durationLearned("film", .seconds(5400))),
    .playback(
      .timelineSet(
        "film", .playing(TimelineAnchor(mediaTime: .zero, at: began + .seconds(7), rate: .normal)),
        rate: .normal, action: .start, by: nil)),
    .queue(.inserted([next], after: "e1"), by: "p-b"),
    .playback(.suspensionBegan("p-a", 1, .userActionRequired, isImposed: false)),
    .lost("p-b", until: began + .seconds(40)),
  ]

  static func at(_ seq: Int) -> Instant { began + .seconds(seq - 1) }

  static func history(
    _ kept: ClosedRange<Int> = 1...events.count, snapshot: GroupSession? = nil
  ) -> SessionHistory {
    SessionHistory(
      summary: ArchivedSession(
        "s-1", group: "friday", title: "Friday's film", began: began, events: kept.count),
      snapshot: snapshot.map { .init(session: $0, at: at($0.seq)) },
      events: kept.map { SessionHistory.Entry(seq: $0, at: at($0), event: events[$0 - 1]) })
  }

  /// The session after all that.
  static var session: GroupSession {
    var session = GroupSession(id: "s-1", beginning)
    for (index, event) in events.enumerated().dropFirst() {
      session.evolve(event, at: at(index + 1))
    }
    return session
  }
}

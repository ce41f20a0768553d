import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

@testable import Journals
@testable import matinee

/// The words for what happens in a session.
@Suite struct SessionNarratorTests {
  private func entry(_ seq: Int, _ event: SessionEvent) -> SessionHistory.Entry {
    SessionHistory.Entry(seq: seq, at: Evening.at(seq), event: event)
  }

  /// What is said of an event in a session of Ann's and Ben's.
  private func told(_ event: SessionEvent) -> SessionNarrator.Line {
    var narrator = SessionNarrator(Evening.history(snapshot: Evening.session))
    return narrator.tell(entry(11, event))
  }

  static let paused = Timeline.Phase.paused(at: .seconds(3723.4))
  static let waiting = Timeline.Phase.preparing(
    StartBarrier(from: .seconds(5), rate: .normal, due: Evening.began, patience: nil))
  static let running = Timeline.Phase.playing(
    TimelineAnchor(mediaTime: .seconds(5), at: Evening.began, rate: Rate(1.25) ?? .normal))

  static func timeline(
    _ action: TimelineAction, _ phase: Timeline.Phase, by id: ParticipantID? = "p-a",
    rate: Rate = .normal
  ) -> SessionEvent {
    .playback(.timelineSet("film", phase, rate: rate, action: action, by: id))
  }

  static let sentences: [(SessionEvent, String)] = [
    (.began(Evening.beginning), "Ann started “Friday's film” in group friday"),
    (.activated(by: Evening.ben, joinBy: Evening.began), "Ben activated it"),
    (
      .joined(Participant(id: "x", identity: Evening.ben, role: .guest, joinedAt: Evening.began)),
      "Ben joined as a guest"
    ),
    (.left("p-b", .left), "Ben left"),
    (.left("p-b", .dismissed), "Ben dismissed it"),
    (.left("p-b", .removed(by: "p-a", isBanned: false)), "Ben was removed by Ann"),
    (.left("p-b", .removed(by: "p-a", isBanned: true)), "Ben was removed by Ann, for good"),
    (.left("p-b", .connectionLost), "Ben did not come back"),
    (.lost("p-b", until: Evening.began), "Ben lost the connection"),
    (.resumed("p-b"), "Ben is back"),
    (.interrupted(until: Evening.began), "the server was down; everyone must reconnect"),
    (.declined("tv"), "the device tv declined"),
    (
      .invited(["cem", "dora"], expires: Evening.began, by: nil), "cem, dora are invited"
    ),
    (.invited(["cem"], expires: Evening.began, by: nil), "cem is invited"),
    (.invited(["cem", "dora"], expires: Evening.began, by: "p-a"), "Ann invited cem, dora"),
    (.invitationAnswered("cem", .accepted, on: "tv"), "cem accepted the invitation"),
    (.invitationAnswered("dora", .declined, on: nil), "dora declined the invitation"),
    (.invitationsRevoked(["cem"], by: "p-a"), "Ann revoked the invitation of cem"),
    (.invitationsExpired(["cem", "dora"]), "the invitation of cem, dora expired"),
    (
      .activitySet(Evening.beginning.activity, revision: 2, by: "p-a"),
      "Ann changed to “Friday's film”"
    ),
    (.roleSet("p-b", .host, by: "p-a"), "Ann made Ben a host"),
    (.roleSet("p-b", .host, by: nil), "Ben becomes a host"),
    (.readinessSet("p-b", true, by: "p-b"), "Ben is ready"),
    (.readinessSet("p-b", false, by: "p-a"), "Ann set Ben as not ready"),
    (
      .attachmentAdded(
        SessionAttachment(
          id: "a", by: "p-a", byteCount: 1, metadata: JSONText(validated: "null"))),
      "Ann added an attachment"
    ),
    (.attachmentRemoved("a", by: "p-b"), "Ben removed an attachment"),
    (.controlSet(.hostsOnly, by: "p-a"), "Ann lets only hosts control playback"),
    (
      .dismissalPolicySet(.endsForEveryone, by: "p-a"),
      "Ann changed the rules: it ends when any participant dismisses it"
    ),
    (
      .dismissalPolicySet(.leavesOnly, by: "p-a"),
      "Ann changed the rules: a participant who dismisses it leaves"
    ),
    (.messageSent(JSONText(validated: #""hi""#), to: .all, by: "p-a"), "Ann: hi"),
    (
      .messageSent(JSONText(validated: #"{"a":1}"#), to: .only(["p-b"]), by: "p-a"),
      #"Ann to Ben: {"a":1}"#
    ),
    (
      .queue(.inserted([Evening.next], after: nil), by: "p-a"),
      "Ann put “next.mp4” into the queue, at the front"
    ),
    (.queue(.moved("e2", after: "e1"), by: "p-b"), "Ben moved “next.mp4” after “The Film”"),
    (.queue(.removed("e2"), by: "p-b"), "Ben took “next.mp4” out of the queue"),
    (.queue(.selected("e2"), by: nil), "the queue went on to “next.mp4” automatically"),
    (.queue(.repeatSet(.all), by: "p-a"), "Ann set the queue to repeat from the start"),
    (.queue(.cleared, by: "p-a"), "Ann cleared the queue"),
    (.playback(.itemSelected("film", by: "p-a")), "Ann opens “The Film”"),
    (.playback(.itemSelected(nil, by: "p-a")), "Ann has no item open"),
    (timeline(.propose, paused), "Ann contributes “The Film”: paused at 1:02:03.4"),
    (timeline(.play, waiting), "Ann pressed play: getting ready at 0:05.0"),
    (
      timeline(.start, running, by: nil, rate: Rate(1.25) ?? .normal),
      "playing from 0:05.0 at 1.25×"
    ),
    (timeline(.pause, paused), "Ann paused at 1:02:03.4"),
    (timeline(.seek, paused), "Ann went to 1:02:03: paused at 1:02:03.4"),
    (timeline(.freeze, paused, by: nil), "nobody is watching: paused at 1:02:03.4"),
    (timeline(.end, .ended(at: .seconds(9)), by: nil), "“The Film” ended"),
    (
      .playback(.itemAdvanced(from: "film", to: "next.mp4", running, rate: .normal)),
      "“The Film” ended; “next.mp4” is next, playing from 0:05.0"
    ),
    (.playback(.durationLearned("film", .seconds(3723))), "“The Film” is 1:02:03.0 long"),
    (.playback(.readied("p-b", seq: 4)), "Ben is ready"),
    (
      .playback(.suspensionBegan("p-b", 2, .stallRecovery, isImposed: true)),
      "Ben was not ready in time (buffering)"
    ),
    (
      .playback(.suspensionBegan("p-b", 2, .userActionRequired, isImposed: false)),
      "Ben stepped out (busy)"
    ),
    (.playback(.suspensionEnded("p-b", 2)), "Ben is watching again"),
    (
      .playback(.waitingPolicySet(.keepGoing, by: "p-a")),
      "Ann changed the rules: nobody is waited for"
    ),
    (
      .playback(.waitingPolicySet(.together, by: "p-a")),
      "Ann changed the rules: waits for others (buffering, up to 6 people), at most 0:30.0"
    ),
    (.playback(.timelineDropped("film")), "“The Film” is removed"),
    (.ended(.endedBy("p-a")), "it ended: Ann ended it for all"),
    (.ended(.dismissedBy("p-b")), "it ended: Ben dismissed it for all"),
    (.ended(.empty), "it ended: everyone has left"),
  ]

  @Test(arguments: sentences)
  func `an event is a sentence with names in it`(event: SessionEvent, sentence: String) {
    #expect(told(event).text == sentence)
  }

  @Test func `the seekable window of live content is told`() throws {
    let window = try #require(
      SeekWindow(start: .seconds(60), end: .seconds(3660), slides: true))
    #expect(
      told(.playback(.seekWindowSet("film", window))).text
        == "“The Film” is live: 1:00.0 to 1:01:00.0 is seekable")
  }

  @Test func `what has no name known is called by its id`() {
    var narrator = SessionNarrator(Evening.history(3...4))
    #expect(narrator.tell(entry(3, .resumed("p-x"))).text == "p-x is back")
    #expect(narrator.tell(entry(4, .queue(.removed("e9"), by: "p-x"))).text.contains("entry e9"))
    #expect(narrator.tell(entry(5, .playback(.timelineDropped("f")))).text == "“f” is removed")
  }

  @Test func `a name is known from the joining on, also after the leaving`() {
    var narrator = SessionNarrator(Evening.history())
    for entry in Evening.history().events { _ = narrator.tell(entry) }
    #expect(narrator.tell(entry(11, .left("p-b", .left))).text == "Ben left")
    #expect(
      narrator.tell(entry(12, .ended(.endedBy("p-b")))).text == "it ended: Ben ended it for all")
  }

  @Test func `events after a snapshot add titles to those that it knows`() {
    var narrator = SessionNarrator(Evening.history(snapshot: Evening.session))
    let sequel = GroupActivity(
      type: "watch", payload: JSONText(validated: "null"),
      metadata: GroupActivityMetadata(title: "Saturday's film"),
      media: MediaItem(item: "film-2", title: "The Sequel", url: "film-2.mp4"))
    _ = narrator.tell(entry(11, .activitySet(sequel, revision: 2, by: "p-a")))
    #expect(
      narrator.tell(entry(12, .playback(.timelineDropped("film-2")))).text
        == "“The Sequel” is removed")
  }

  @Test func `rules that are not the usual ones are told at the beginning`() {
    var beginning = Evening.beginning
    beginning.control = .hostsOnly
    beginning.dismissalPolicy = .leavesOnly
    #expect(
      told(.began(beginning)).text
        == "Ann started “Friday's film” in group friday; only hosts control playback; "
        + "a participant who dismisses it leaves")
  }

  @Test func `what machines tell each other matters least`() {
    #expect(told(.playback(.readied("p-b", seq: 4))).weight == .detail)
    #expect(told(.left("p-b", .left)).weight == .person)
    #expect(told(.ended(.empty)).weight == .end)
  }
}

import GroupSessions
import Participation
import Testing
import Vocabulary
import Wire

@testable import MatineeClient

/// Lines of chat, for whoever begins to listen.
@Suite struct ChatMessagesTests {
  @Test(arguments: [Int?.none, 3])
  func `a line that comes while somebody begins to listen is heard once`(seq: Int?) async {
    let ann = Identity(user: UserID("u-Ann"), device: DeviceID("d-Ann"), name: "Ann")
    let offer = Offer(
      session: SessionID("s"), group: GroupID("room"),
      activity: GroupSessions.GroupActivity(
        type: "watch", payload: JSONText(null: ()), metadata: GroupActivityMetadata(title: "Film"),
        media: nil),
      revision: 0, initiator: ann, isStaged: false)
    let core = SessionCore(offer, device: ann.device)
    let participant = GroupSessions.Participant(
      id: ParticipantID("p"), identity: ann, role: .host, joinedAt: Instant(microseconds: 0))
    core.take(.roster(.joined(participant)), session: nil)
    func say(_ text: String, seq: Int?) {
      core.take(.message(ChatLine.payload(text), from: participant.id, seq: seq), session: nil)
    }
    say("first", seq: nil)
    let queue = core.messages.listen()
    say("second", seq: seq)
    var chat = ChatMessages(core.lastLines, queue).makeAsyncIterator()
    say("third", seq: nil)
    core.messages.finish()
    var heard: [String] = []
    while let line = await chat.next() { heard.append(line.text) }
    #expect(heard == ["first", "second", "third"])
  }
}

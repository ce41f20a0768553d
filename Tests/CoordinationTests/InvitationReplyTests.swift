import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// A text that is written back to an invitation, and whoever invited.
@Suite struct InvitationReplyTests {
  /// Ann, who hears of notifications, starts something; Bob is asked.
  private func scene(_ journal: SharedJournal = SharedJournal()) throws -> (Stage, SessionID) {
    var stage = try Stage.notifying(journal: journal)
    try stage.install("ann", as: "ann", in: "g")
    try stage.install("phone", as: "bob", in: "g")
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    return (stage, id)
  }

  private func reply(_ id: NotificationID, _ text: String) -> TrayRequest {
    .report(id, .responded(actionID: "REPLY_IDENTIFIER", text: text))
  }

  @Test func `whoever invited hears what was written back, once for each text`() throws {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    for text in ["Soon", "Soon", "Now"] {
      try stage.notify("phone", reply(invitation.id, text))
    }
    let heard = stage.notifications("ann")
    #expect(heard.map { $0.payload.alert?.body?.text } == ["Soon", "Now"])
    #expect(heard.map { $0.payload.alert?.title?.text } == ["phone", "phone"])
    #expect(heard.last?.payload.custom["inv"]?.string == invitation.id.text)
    #expect(heard.last?.payload.custom["session"]?.string == id.text)
    #expect(heard.last?.payload.custom["group"]?.string == "g")
    #expect(heard.last?.payload.custom["from"]?.string == "bob")
    #expect(heard.last?.payload.threadID == "g")
    // The newest takes the place of those before: nobody fills another one's tray.
    #expect(stage.tray("ann")?.entries.map(\.id) == [heard[1].id])
    #expect(stage.session(id)?.invitations["bob"]?.state == .pending)
    // Neither a dismissal nor a tap says anything, nor does an empty text.
    for action in [ActionIdentifier.dismissAction, ActionIdentifier.defaultAction] {
      try stage.respond("phone", invitation.id, action)
    }
    try stage.notify("phone", reply(invitation.id, ""))
    #expect(stage.notifications("ann").count == 2)
  }

  @Test func `who invited by hand hears it, and not who began`() throws {
    var (stage, id) = try scene()
    try stage.install("tv", as: "cat")
    try stage.join("phone", id)
    try stage.ask("phone", .invite(nil, ["cat"], lifetime: nil))
    try stage.notify("tv", reply(try stage.invitation("cat").id, "Yes"))
    #expect(stage.notifications("phone").last?.payload.alert?.body?.text == "Yes")
    #expect(stage.notifications("ann").isEmpty)
  }

  @Test func `the longest text goes on as far as it fits`() throws {
    var (stage, _) = try scene()
    let text = String(repeating: "\u{1}", count: 4_000)
    try stage.notify("phone", reply(try stage.invitation("bob").id, text))
    let payload = try #require(stage.notifications("ann").last?.payload)
    #expect(payload.jsonByteCount <= NotificationPayload.byteLimit)
    #expect(payload.alert?.body?.text?.hasSuffix("…") == true)
  }

  @Test func `a reply whose notification is too long even without its text loses the name's end`()
    throws
  {
    var stage = try Stage.notifying { $0.policy.payloadBytes = 1_000 }
    try stage.install("ann", as: "ann", in: "g")
    // In JSON each of these letters takes six bytes.
    stage.connect(as: "phone", user: "bob", name: String(repeating: "\u{1}", count: 200))
    try stage.notify("phone", .register(nil))
    try stage.ask("phone", .joinGroup("g"))
    try stage.join("ann", try stage.activate("ann"))
    try stage.notify("phone", reply(try stage.invitation("bob").id, "Yes"))
    let payload = try #require(stage.notifications("ann").last?.payload)
    #expect(payload.jsonByteCount <= 1_000)
    #expect(payload.alert?.title?.text?.hasSuffix("…") == true)
  }

  @Test func `a server that dies before it could pass a text on does so when it is back`() throws {
    var (stage, _) = try scene()
    let invitation = try stage.invitation("bob")
    stage.isHeld = true
    stage.post(.notifications(reply(invitation.id, "Soon")), from: "phone")
    // Bob's tray is kept, Ann's is not.
    stage.release(1)
    stage.isHeld = false
    stage.crash()
    #expect(stage.tray("ann")?.entries.count == 1)
    stage.resume("ann")
    let heard = try #require(stage.listed("ann")?.first)
    // Read and gone, it does not come again with the next start.
    try stage.respond("ann", heard, ActionIdentifier.defaultAction)
    stage.crash()
    #expect(stage.tray("ann")?.entries.isEmpty == true)
  }
}

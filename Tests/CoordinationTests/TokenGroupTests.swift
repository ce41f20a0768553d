import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// What is closed to a person in a group that their token does not name, or that removed them.
@Suite struct TokenGroupTests {
  private let votes = ServerObject.own("votes", of: "g")

  /// Ann and Bob are in a group with an object; Bob follows it, and the group's topics.
  private func scene() throws -> Door {
    var door = try Door()
    try door.enter("ann")
    try door.enter("bob")
    try door.stage.ask("ann", .updateObject("votes", set: ["yes": 1]))
    try door.stage.notify("bob", .register())
    for topic in ["group/g", "group/g/chat", "app/news"] as [TopicID] {
      try door.stage.notify("bob", .subscribe(.topic(topic)))
    }
    try door.stage.notify("bob", .subscribe(.object(votes)))
    return door
  }

  /// Checks that Bob follows nothing in the group, and reads nothing of it.
  private func checkSilence(_ door: inout Door) throws {
    #expect(door.stage.tray("bob")?.subscriptions == [.topic("app/news")])
    #expect(!door.stage.coordinator.groups.told.hasSubscribers(.group("g")))
    try checkClosed(to: "bob", &door)
    door.stage.forget()
    try door.stage.ask("ann", .updateObject("votes", set: ["yes": 2]))
    try door.stage.notify(
      "ann", .publish(TopicPublication(to: "group/g/chat", alert: .init(body: "Hi"))))
    #expect(door.stage.notifications("bob").isEmpty)
  }

  /// Checks that a device neither reads the object nor subscribes.
  private func checkClosed(to device: DeviceID, _ door: inout Door) throws {
    let requests: [(TrayRequest, ErrorCode)] = [
      (.objectState(votes), .unknownObject), (.subscribe(.object(votes)), .unknownObject),
      (.subscribe(.topic("group/g")), .notYourTopic),
    ]
    for (request, code) in requests {
      #expect(try door.stage.refusal(device, .notifications(request)).code == code)
    }
  }

  @Test func `whose new token does not name a group follows it no more`() throws {
    var door = try scene()
    try door.stage.ask("bob", .renew(credential: try Door.token("bob", groups: ["other"])))
    try checkSilence(&door)
  }

  @Test(arguments: [[], ["other"]])
  func `who comes back with a token that does not name a group follows it no more`(
    groups: [String]
  ) throws {
    var door = try scene()
    door.stage.disconnect("bob")
    door.stage.advance(Limits().resumeGrace + .seconds(1))
    #expect(door.stage.tray("bob")?.subscriptions.count == 4)
    door.greet("bob", as: "bob", try Door.token("bob", groups: groups))
    try checkSilence(&door)
  }

  @Test func `a session's state is closed with its group`() throws {
    var door = try scene()
    let id = try door.stage.activate("ann")
    let state = ServerObject.part(.state, of: id)
    try door.stage.notify("bob", .subscribe(.object(state)))
    try door.stage.ask("bob", .renew(credential: try Door.token("bob", groups: [])))
    #expect(!door.stage.coordinator.groups.told.hasSubscribers(.session(id)))
    let refusal = try door.stage.refusal("bob", .notifications(.objectState(state)))
    #expect(refusal.code == .unknownSession)
  }

  @Test func `a device in the group keeps its person's subscriptions, which others do not read`()
    throws
  {
    var door = try scene()
    door.greet("tv", as: "bob", try Door.token("bob", groups: ["other"]))
    #expect(door.stage.tray("bob")?.subscriptions.count == 4)
    try checkClosed(to: "tv", &door)
    try door.stage.ask("bob", .renew(credential: try Door.token("bob", groups: ["other"])))
    try checkSilence(&door)
  }

  @Test func `an invitation is told to devices whose token names the group`() throws {
    var door = try Door()
    try door.enter("ann")
    try door.enter("cat")
    door.greet("bob", as: "bob", try Door.token("bob", groups: ["other"]))
    try door.stage.notify("bob", .register())
    let id = try door.stage.activate("ann")
    try door.stage.join("ann", id)
    try door.stage.ask("ann", .invite(nil, ["bob"], lifetime: nil))
    let invitation = try door.stage.invitation("bob").id
    try door.stage.notify("bob", .list)
    #expect(door.stage.notifications("bob").isEmpty && door.stage.listed("bob") == [])
    let answer = Request.answerInvitation(id, .accepted, seq: nil)
    #expect(try door.stage.refusal("bob", answer).code == .unknownSession)
    try door.stage.ask("bob", .renew(credential: try Door.token("bob")))
    #expect(door.stage.listed("bob") == [invitation])
  }

  // MARK: People who are removed for good

  @Test(arguments: [false, true])
  func `no token lets in whom a group has removed`(byFounder: Bool) throws {
    var door = try scene()
    if byFounder {
      try door.stage.ask("ann", .removeUser("bob"))
    } else {
      door.greet("eve", as: "eve", try Door.token("eve", groups: [], admin: true))
      try door.stage.ask("eve", .removeUser("bob", from: "g"))
    }
    #expect(door.stage.tray("bob")?.subscriptions == [.topic("app/news")])
    #expect(try door.stage.refusal("bob", .joinGroup("g")).code == .removed)
    door.stage.crash()
    door.stage.handle(.wallTime(Door.wall))
    door.greet("bob", as: "bob", try Door.token("bob", groups: ["*"]))
    #expect(try door.stage.refusal("bob", .joinGroup("g")).code == .removed)
    let members = door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.values
    #expect(members?.map(\.user) == ["ann"])
  }
}

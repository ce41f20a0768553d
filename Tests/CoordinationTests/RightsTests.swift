import Coordination
import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

/// What members of a group and strangers may not do, although nothing else hinders them.
@Suite struct RightsTests {
  private let other = Activation(Stage.movie("other"), ifBusy: .replace)

  /// Ann's session, which only hosts control, with the guest Bob; Cat is in the group only.
  private func scene() throws -> (Stage, SessionID) {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    let id = try stage.activate("ann", Activation(Stage.movie(), control: .hostsOnly))
    try stage.join("ann", id)
    try stage.join("bob", id)
    return (stage, id)
  }

  @Test(arguments: ["bob", "cat"] as [DeviceID])
  func `a session is replaced only by those who may end it`(device: DeviceID) throws {
    var (stage, id) = try scene()
    let refusal = try stage.refusal(device, .activate(other))
    #expect(refusal.code == .forbidden && refusal.reason == "endSession")
    #expect(refusal.session == id)
    #expect(stage.session(id)?.participants.count == 2)
    let next = try stage.activate("ann", other)
    #expect(stage.session(id) == nil && stage.session(next) != nil)
  }

  @Test
  func `where all control, a member who has not joined may replace, and one who is banned not`()
    throws
  {
    var (stage, id) = try scene()
    try stage.ask("ann", .setControl(id, .everyone))
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .remove(id, bob, isBanned: true))
    #expect(try stage.refusal("bob", .activate(other)).code == .forbidden)
    let next = try stage.activate("cat", other)
    #expect(stage.session(id) == nil && stage.session(next) != nil)
  }

  @Test func `in a managed group only the server's own peer starts sessions, and nobody closes it`()
    throws
  {
    var stage = Stage()
    stage.coordinator.manageGroups { $0 == "managed" }
    try stage.gather(["ann", "bob"], in: "managed")
    for request in [.activate(other), .stage(other), .closeGroup()] as [Request] {
      let refusal = try stage.refusal("ann", request)
      #expect(refusal.code == .forbidden && refusal.reason == "managed")
    }
    try stage.gather(["cat", "dan"], in: "other")
    _ = try stage.activate("cat", other)
  }

  @Test func `one who is banned comes back with no other device`() throws {
    var (stage, id) = try scene()
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .remove(id, bob, isBanned: true))
    stage.connect(as: "tv", user: "bob")
    try stage.ask("tv", .joinGroup("g"))
    #expect(try stage.refusal("tv", .join(id, handoffFrom: nil)).code == .banned)
    #expect(stage.offers("tv").isEmpty)
  }

  @Test func `one who is banned is not invited, and neither are others in the same request`() throws
  {
    var (stage, id) = try scene()
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .remove(id, bob, isBanned: true))
    let refusal = try stage.refusal("ann", .invite(nil, ["dora", "bob"], lifetime: nil))
    #expect(refusal == ProtocolError(.forbidden, field: "users", reason: "banned"))
    #expect(stage.session(id)?.invitations["dora"] == nil)
    try stage.ask("ann", .invite(nil, ["dora"], lifetime: nil))
    #expect(stage.session(id)?.invitations["dora"]?.state == .pending)
  }

  @Test func `a stranger subscribes to no group's topics`() throws {
    var (stage, _) = try scene()
    stage.connect(as: "eve")
    for topic in ["group/g", "group/g/talk"] {
      let request = Request.notifications(.subscribe(.topic(TopicID(topic))))
      #expect(try stage.refusal("eve", request).code == .notYourTopic)
    }
  }

  @Test func `what is asked for a group's topic right behind its joining waits for that`() throws {
    var (stage, _) = try scene()
    stage.connect(as: "dan")
    stage.isHeld = true
    let joining = stage.post(.joinGroup("g"), from: "dan")
    let topic = stage.post(.notifications(.subscribe(.topic("group/g"))), from: "dan")
    stage.isHeld = false
    stage.release()
    for request in [joining, topic] { _ = try #require(stage["dan"].answers[request]?.first).get() }
  }

  @Test func `members are invited before those who only subscribed`() throws {
    var limits = Limits()
    limits.invitations = 2
    var stage = try Stage.notifying(limits: limits)
    try stage.gather(["host"])
    for name in ["a1", "a2", "a3"] as [DeviceID] {
      try stage.install(name, as: UserID(name.text))
      try stage.subscribe(name)
    }
    try stage.install("phone", as: "zoe", in: "g")
    let id = try stage.activate("host")
    #expect(stage.session(id)?.invitations.values.map(\.user).contains("zoe") == true)
  }
}

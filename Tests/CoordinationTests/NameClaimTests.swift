import GroupSessions
import Naming
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// What a name brings with it before somebody claims it, and after it changed hands.
@Suite struct NameClaimTests {
  // MARK: Resuming

  /// Mallory says hello as Ben before Ben has come, and waits until the name is his.
  @Test func `a token resumes under the name it was made for, not under another of the credential`()
    throws
  {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("mallory")
    let credential = door.credential(of: "mallory")
    door.greet("trap", as: "ben", with: credential)
    let token = try #require(door.stage["trap"].token)
    let trap = door.stage["trap"].peer
    try door.enter("ben")
    let thief = door.greet(
      "trap", as: "mallory", with: credential, resume: Resumption(token: token))
    #expect(door.stage.clients[thief]?.received == [.error(nil, ProtocolError(.resumeRefused))])
    // Where it waits, it is nobody's device, and the name is another credential's now.
    #expect(door.end(of: trap) == nil)
    door.stage.peers["trap"] = trap
    let refusal = try door.stage.refusal("trap", .joinGroup("g", key: KeyedDoor.key()))
    #expect(refusal.code == .credentialRefused && door.kept("ben").count == 1)
  }

  @Test func `a device that changes its person starts over, and one that changes its name goes on`()
    throws
  {
    var stage = Stage()
    try stage.gather(["tv"])
    let resumption = Resumption(token: try #require(stage["tv"].token))
    stage.disconnect("tv")
    for (user, name, isResumed) in [
      ("bob", "Bob", false), ("tv", "Living room", true),
    ] as [(UserID, String, Bool)] {
      let peer = stage.connectSilently()
      stage.say(.hello(stage.hello("tv", user: user, name: name, resume: resumption)), on: peer)
      let isWelcome = stage.clients[peer]?.received.contains {
        if case .welcome(let welcome) = $0 { welcome.isResumed } else { false }
      }
      #expect(isWelcome == isResumed, "\(user)")
    }
  }

  // MARK: Invitations

  /// Ann, in her group with Dan, begins a session and invites people.
  private func watch(_ door: inout KeyedDoor, inviting users: [UserID]) throws {
    try door.found()
    try door.enter("dan")
    let session = try door.stage.activate("ann")
    try door.stage.join("ann", session)
    try door.stage.ask("ann", .invite(nil, users, lifetime: nil))
  }

  @Test(arguments: [false, true])
  func `an invitation to a name that nobody has claimed waits for its person`(
    crashes: Bool
  ) throws {
    var door = try KeyedDoor()
    try watch(&door, inviting: ["ben"])
    #expect(door.stage.tray("ben") == nil)
    if crashes { door.stage.crash() }
    #expect(door.refusal("ben") == .unproved, "an invitation holds no name")
    #expect(door.stage.tray("ben") == nil)
    try door.stage.ask("ben", .joinGroup("g", key: KeyedDoor.key()))
    #expect(door.stage.standing("ben").count == 1)
  }

  @Test func `an invitation that was revoked before its person came is not posted`() throws {
    var door = try KeyedDoor()
    try watch(&door, inviting: ["ben", "cleo"])
    try door.stage.ask("ann", .revokeInvitations(nil, ["ben"]))
    try door.enter("ben", "cleo")
    #expect(door.stage.standing("ben").isEmpty && door.stage.standing("cleo").count == 1)
  }

  @Test func `a push to a name that nobody has claimed does not hold it`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.administer()
    let push = Request.notifications(
      .push(DirectPush(to: "ben", NotificationPayload(.init(body: "Hi")))))
    try door.stage.ask("admin", push)
    #expect(door.stage.tray("ben") == nil)
    #expect(door.refusal("ben") == .unproved)
    try door.stage.ask("ben", .joinGroup("g", key: KeyedDoor.key()))
    try door.stage.ask("admin", push)
    #expect(door.stage.tray("ben")?.entries.count == 1)
  }

  @Test func `notifications that an older server kept for a name hold it for nobody`() throws {
    var door = try KeyedDoor()
    try door.found()
    // Without keys, notifications are kept for every name.
    door.stage.crash(access: .open)
    door.administer()
    for user in ["ben", "cleo"] as [UserID] {
      try door.stage.ask(
        "admin",
        .notifications(.push(DirectPush(to: user, NotificationPayload(.init(body: "Hi"))))))
    }
    door.stage.connect(as: "cleo")
    try door.stage.ask("cleo", .notifications(.register(PushEndpoint.browser("phone"))))
    door.stage.crash(access: .keys(KeyedDoor.keys))
    #expect(door.stage.tray("ben")?.entries.count == 1)
    #expect(door.refusal("ben") == .unproved)
    #expect(door.refusal("eve", as: "cleo") == .held, "a registration is the person's own")
    try door.stage.ask("ben", .joinGroup("g", key: KeyedDoor.key()))
    #expect(door.kept("ben").count == 1)
    #expect(door.stage.standing("ben").isEmpty, "nobody knows whom they were for")
  }

  // MARK: Freed names

  @Test(arguments: ["ann", "ben"] as [UserID])
  func `a freed name, a founder's or a guest's, opens its groups only to who has their key`(
    user: UserID
  ) throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben", "cleo")
    door.administer()
    try door.stage.ask("admin", .freeName(user))
    let device = DeviceID(user.text)
    door.wipe(device)
    door.greet(device)
    let founding = KeyedDoor.keys.founding.text
    let wrong: [(String?, ErrorCode)] = [
      (nil, .keyRequired), (founding, .keyRefused), (KeyedDoor.key(2), .keyRefused),
      ("", .keyRefused),
    ]
    for (key, code) in wrong {
      #expect(try door.stage.refusal(device, .joinGroup("g", key: key)).code == code)
    }
    #expect(door.kept(user).isEmpty && door.keys(device).isEmpty && !door.members.contains(user))
    try door.stage.ask(device, .joinGroup("g", key: KeyedDoor.key()))
    #expect(door.members == ["ann", "ben", "cleo"] && door.kept(user).count == 1)
  }

  @Test func `what is kept for a freed name is erased, though that cannot be stored at once`()
    throws
  {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    try door.stage.ask("ben", .notifications(.register()))
    door.administer()
    door.stage.journal.failures = 1
    _ = try door.stage.refusal("ben", .notifications(.subscribe(.topic("app/x"))))
    try door.stage.ask("admin", .freeName("ben"))
    #expect(door.stage.journal.live[.tray("ben")] != nil)
    door.stage.advance(Limits().journalRetry)
    #expect(door.stage.journal.live[.tray("ben")] == nil)
    door.wipe("ben")
    door.greet("ben")
    try door.stage.ask("ben", .joinGroup("g", key: KeyedDoor.key()))
  }
}

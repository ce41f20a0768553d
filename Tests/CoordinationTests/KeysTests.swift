import GroupSessions
import Naming
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Who comes in with a key, and to whom a name belongs.
@Suite struct KeysTests {
  // MARK: Founding and entering

  @Test func `the founding key opens a group, whose members learn its key and let others in`()
    throws
  {
    var door = try KeyedDoor()
    let peer = door.greet("ann")
    let welcome = try #require(door.welcome(of: peer))
    #expect(welcome.access == .keys && !welcome.isProved)
    try door.stage.ask("ann", .joinGroup("g", key: KeyedDoor.keys.founding.text))
    #expect(door.keys("ann") == [KeyedDoor.key()])
    try door.enter("ben")
    #expect(door.keys("ben") == [KeyedDoor.key()])
    #expect(door.members == ["ann", "ben"] && door.group?.founder == "ann")
    #expect(door.kept("ann").count == 1 && door.kept("ben").count == 1)
  }

  @Test func `no key, another group's and the founding key open no group that exists`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.greet("ben")
    let wrong: [(String?, ErrorCode)] = [
      (nil, .keyRequired), (KeyedDoor.keys.key(of: "h", generation: 1).text, .keyRefused),
      (KeyedDoor.key(2), .keyRefused), (KeyedDoor.keys.founding.text, .keyRefused),
      ("", .keyRefused),
    ]
    for (key, code) in wrong {
      #expect(try door.stage.refusal("ben", .joinGroup("g", key: key)).code == code)
    }
    #expect(door.members == ["ann"] && door.kept("ben").isEmpty)
    // A group that does not exist is opened by the founding key only.
    #expect(try door.stage.refusal("ben", .joinGroup("h")).code == .keyRequired)
    let other = KeyedDoor.keys.key(of: "h", generation: 1).text
    #expect(try door.stage.refusal("ben", .joinGroup("h", key: other)).code == .keyRefused)
    #expect(door.stage.coordinator.groups.rooms.groups["h"] == nil)
  }

  @Test func `a group's key opens it under other bytes of the same name, too`() throws {
    var door = try KeyedDoor()
    door.greet("ann")
    try door.stage.ask("ann", .joinGroup("caf\u{E9}", key: KeyedDoor.keys.founding.text))
    door.greet("ben")
    let key = KeyedDoor.keys.key(of: "caf\u{E9}", generation: 1).text
    try door.stage.ask("ben", .joinGroup("cafe\u{301}", key: key))
    let group = try #require(door.stage.coordinator.groups.rooms.groups["caf\u{E9}"]?.group)
    #expect(group.members.values.map(\.user).sorted() == ["ann", "ben"])
  }

  @Test func `who was let in once needs no key, not after a restart either`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    for device in ["ann", "ben"] as [DeviceID] {
      try door.stage.ask(device, .leaveGroup)
      door.stage.disconnect(device)
    }
    #expect(door.group?.members.isEmpty == true, "the group outlives its members")
    door.stage.crash()
    let peer = door.greet("ben")
    #expect(door.welcome(of: peer)?.isProved == true)
    try door.stage.ask("ben", .joinGroup("g"))
    #expect(door.members == ["ben"] && door.group?.founder == "ann")
    #expect(door.keys("ben").last == KeyedDoor.key())
  }

  @Test func `a device without the secret that it resumes with replaces its old connection`() throws
  {
    var door = try KeyedDoor()
    let waiting = door.greet("ann")
    try door.found()
    #expect(door.end(of: waiting)?.code == .superseded)
    let old = try #require(door.stage.peers["ann"])
    door.greet("ann")
    #expect(door.end(of: old)?.code == .superseded)
    try door.stage.ask("ann", .joinGroup("g"))
    #expect(door.members == ["ann"] && door.group?.lost.isEmpty == true)
    // Another credential makes another device, whatever name it gives.
    let mine = try #require(door.stage.peers["ann"])
    let other = door.credential(of: "eve")
    door.greet("ann", as: "eve", with: other)
    #expect(door.end(of: mine) == nil)
  }

  @Test func `an empty group closes after its time, and nobody founds it anew before`() throws {
    var limits = Limits()
    limits.groupRetention = .seconds(100)
    var door = try KeyedDoor(limits: limits)
    try door.found()
    try door.stage.ask("ann", .leaveGroup)
    door.greet("eve")
    let founding = KeyedDoor.keys.founding.text
    door.stage.advance(.seconds(99))
    #expect(try door.stage.refusal("eve", .joinGroup("g", key: founding)).code == .keyRefused)
    try door.stage.ask("ann", .joinGroup("g"))
    try door.stage.ask("ann", .leaveGroup)
    door.stage.advance(.seconds(99))
    #expect(door.group != nil, "it was used meanwhile")
    door.stage.advance(.seconds(2))
    #expect(door.group == nil)
    try door.stage.ask("eve", .joinGroup("g", key: founding))
    #expect(door.group?.founder == "eve")
  }

  /// Wherever the journal ends before its founder is in, a group does not keep its name for ever.
  @Test func `a server that stops while a group is founded leaves no group without members`() throws
  {
    var openings = 0
    for count in 0...5 {
      var door = try KeyedDoor()
      door.greet("ann")
      door.stage.isHeld = true
      door.stage.post(.joinGroup("g", key: KeyedDoor.keys.founding.text), from: "ann")
      door.stage.release(count)
      door.stage.isHeld = false
      if door.group?.members.isEmpty == true { openings += 1 }
      door.stage.crash()
      #expect(door.group?.members.isEmpty != true, "after \(count) appends")
    }
    #expect(openings > 0)
  }

  @Test func `a group whose founder could not be stored is over, too`() throws {
    var door = try KeyedDoor()
    door.greet("ann")
    door.stage.isHeld = true
    let founding = Request.joinGroup("g", key: KeyedDoor.keys.founding.text)
    let request = door.stage.post(founding, from: "ann")
    for _ in 0..<5 where door.group == nil { door.stage.release(1) }
    #expect(door.group?.members.isEmpty == true)
    door.stage.journal.failures = 1
    door.stage.isHeld = false
    door.stage.release()
    guard case .failure(let error)? = door.stage["ann"].answers[request]?.first else {
      Issue.record("its joining was stored")
      return
    }
    #expect(error.code == .journalUnavailable)
    door.stage.advance(Limits().journalRetry)
    #expect(door.group == nil)
    try door.stage.ask("ann", founding)
    #expect(door.members == ["ann"])
  }

  // MARK: Names

  @Test func `a hello claims nothing, and its device may only join`() throws {
    var door = try KeyedDoor()
    door.greet("eve", as: "ann")
    for request in [
      .status(), .activate(Activation(Stage.movie())), .messaging(.wipe), .leaveGroup, .pair(),
      .notifications(.list), .renew(credential: "x"),
    ] as [Request] {
      #expect(try door.stage.refusal("eve", request).code == .unproved, "\(request)")
    }
    door.stage.say(.ping(Ping(sent: HostTime(microseconds: 1))), from: "eve")
    #expect(door.stage.inbox("eve").contains { if case .pong = $0 { true } else { false } })
    #expect(door.kept("ann").isEmpty && door.stage.journal.everything.isEmpty)
    // The name is Ann's all the same.
    try door.found()
    #expect(door.members == ["ann"])
    #expect(
      try door.stage.refusal("eve", .joinGroup("g", key: KeyedDoor.key())).code
        == .credentialRefused)
  }

  @Test func `a name belongs to the first who shows a key, and to nobody who says it later`() throws
  {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    for credential in [nil, "x", door.credential(of: "eve"), door.credential(of: "ben")] {
      let peer = door.stage.connectSilently()
      var hello = door.stage.hello("phone", user: "ann")
      hello.credential = credential
      door.stage.say(.hello(hello), on: peer)
      let code: ErrorCode = credential == nil ? .credentialRequired : .credentialRefused
      #expect(door.end(of: peer)?.code == code && door.welcome(of: peer) == nil)
    }
  }

  @Test func `of two who claim a name at once, one gets it`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.greet("tick", as: "ben")
    door.greet("tock", as: "ben")
    door.stage.isHeld = true
    let first = door.stage.post(.joinGroup("g", key: KeyedDoor.key()), from: "tick")
    let second = door.stage.post(.joinGroup("g", key: KeyedDoor.key()), from: "tock")
    door.stage.isHeld = false
    door.stage.release()
    #expect(try door.stage["tick"].answers[first]?.first?.get() != nil)
    #expect(throws: ProtocolError.self) { try door.stage["tock"].answers[second]?.first?.get() }
    #expect(door.members == ["ann", "ben"] && door.kept("ben").count == 1)
  }

  @Test func `a joining that claims a name is answered, whatever else its device asks`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.greet("ben")
    door.stage.isHeld = true
    let joining = door.stage.post(.joinGroup("g", key: KeyedDoor.key()), from: "ben")
    #expect(try door.stage.refusal("ben", .status()).code == .unproved)
    #expect(try door.stage.refusal("ben", .joinGroup("g")).code == .busy)
    door.stage.isHeld = false
    door.stage.release()
    #expect(try door.stage["ben"].answers[joining]?.first?.get() != nil)
    #expect(door.members == ["ann", "ben"])
  }

  @Test func `a joining that claims a name goes on by another connection`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.greet("ben")
    let token = try #require(door.stage["ben"].token)
    door.stage.isHeld = true
    let joining = door.stage.post(.joinGroup("g", key: KeyedDoor.key()), from: "ben")
    // Its old connection still looks alive.
    door.greet("ben", resume: Resumption(token: token))
    door.stage.isHeld = false
    door.stage.release()
    #expect(try door.stage["ben"].answers[joining]?.first?.get() != nil)
    #expect(door.members == ["ann", "ben"])
  }

  @Test func `a claim that cannot be stored is repeated`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.greet("ben")
    door.stage.journal.failures = 1
    let refusal = try door.stage.refusal("ben", .joinGroup("g", key: KeyedDoor.key()))
    #expect(refusal.code == .journalUnavailable)
    door.stage.advance(.seconds(2))
    try door.stage.ask("ben", .joinGroup("g", key: KeyedDoor.key()))
    #expect(door.members == ["ann", "ben"])
  }

  @Test func `nobody takes another's device, and a device resumes only with its credential`() throws
  {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    let resumption = Resumption(token: try #require(door.stage["ann"].token))
    let thief = door.greet("ann", as: "ben", with: door.credential(of: "ben"), resume: resumption)
    #expect(door.welcome(of: thief) == nil && door.group?.lost.isEmpty == true)
    door.stage.disconnect("ann")
    let back = door.greet("ann", resume: resumption)
    #expect(door.welcome(of: back)?.isResumed == true)
  }

  @Test func `a wiped client is nobody until it is paired`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.wipe("ann")
    let peer = door.greet("ann")
    #expect(door.end(of: peer)?.code == .credentialRefused)
  }
}

import GroupSessions
import InAppMessaging
import Naming
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// What founders, administrators and a person's other devices do where access is by keys.
@Suite struct KeyedRightsTests {
  private static let administratorOnly: [Request] = [
    .closeGroup("g"), .changeKey("g"), .removeUser("ben", from: "g"), .pair("ben"),
    .freeName("ben"), .drain("10.0.0.2:7879"), .status(), .messaging(.explain(nil, of: "ann")),
  ]

  // MARK: Removing

  @Test func `whom the founder removes is out, and neither the old link nor the new lets them in`()
    throws
  {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben", "cleo")
    try door.stage.ask("ann", .removeUser("ben"))
    #expect(door.members == ["ann", "cleo"])
    #expect(door.keys("cleo").last == KeyedDoor.key(2), "those inside learn the new key")
    #expect(door.keys("ben").last == KeyedDoor.key(1), "who is out does not")
    for key in [nil, KeyedDoor.key(1), KeyedDoor.key(2)] {
      #expect(try door.stage.refusal("ben", .joinGroup("g", key: key)).code == .removed)
    }
    // Under a new name the old link is worth nothing.
    door.greet("ned")
    #expect(
      try door.stage.refusal("ned", .joinGroup("g", key: KeyedDoor.key(1))).code == .keyRefused)
    door.stage.crash()
    door.greet("ben")
    #expect(
      try door.stage.refusal("ben", .joinGroup("g", key: KeyedDoor.key(2))).code == .removed)
  }

  @Test func `whom the founder removes is out of the session, too, at once`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    let id = try door.stage.activate("ann")
    for device: DeviceID in ["ann", "ben"] { try door.stage.join(device, id) }
    door.stage.forget()
    try door.stage.ask("ann", .removeUser("ben"))
    #expect(door.stage.session(id)?.participants.values.map(\.user) == ["ann"])
    let seq = door.stage.session(id)?.seq
    try door.stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    #expect(door.stage["ben"].mirror?.seq == seq, "he hears nothing of it")
    door.stage.checkMirrors()
  }

  @Test func `removal and the new key are stored together`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    try door.stage.ask("ann", .removeUser("ben"))
    let append = try #require(door.stage.journal.everything.last { $0.aggregate == .group("g") })
    #expect(
      append.events.map(\.event) == [
        .group(
          .memberLeft(try #require(door.welcome(of: door.stage["ben"].peer)).device, .removed)),
        .group(.userRemoved("ben")), .group(.keyChanged(generation: 2)),
      ])
  }

  @Test func `only the founder removes and changes the key, and not themselves`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben", "cleo")
    for request in [.removeUser("cleo"), .changeKey(), .closeGroup()] as [Request] {
      #expect(try door.stage.refusal("ben", request).code == .notFounder)
    }
    #expect(try door.stage.refusal("ann", .removeUser("ann")).code == .notFounder)
    try door.stage.ask("ann", .changeKey())
    #expect(door.members == ["ann", "ben", "cleo"] && door.keys("ben").last == KeyedDoor.key(2))
  }

  @Test func `a group that remembers as many people as it may lets no newcomer in`() throws {
    var limits = Limits()
    limits.admittedUsers = 2
    var door = try KeyedDoor(limits: limits)
    try door.found()
    try door.enter("ben")
    door.greet("cleo")
    let refusal = try door.stage.refusal("cleo", .joinGroup("g", key: KeyedDoor.key()))
    #expect(refusal.code == .groupFull && refusal.limit == 2 && door.kept("cleo").isEmpty)
  }

  // MARK: Administrators

  @Test func `what names a group or a person is for the administrator`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    try door.stage.ask("ben", .leaveGroup)
    for request in Self.administratorOnly {
      let refusal = try door.stage.refusal("ben", request)
      #expect(refusal.code == .forbidden && refusal.reason == "administrator", "\(request)")
    }
    door.administer()
    try door.stage.ask("admin", .changeKey("g"))
    try door.stage.ask("admin", .removeUser("ben", from: "g"))
    #expect(door.group?.entry?.generation == 3 && door.group?.entry?.removed == ["ben"])
    try door.stage.ask("admin", .closeGroup("g"))
    #expect(door.group == nil)
    #expect(try door.stage.refusal("admin", .closeGroup("g")).code == .unknownGroup)
    #expect(
      try door.stage.refusal("admin", .joinGroup("g", key: KeyedDoor.keys.founding.text)).code
        == .noPerson)
  }

  @Test func `only an administrator is told how much of the limits is used`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.administer()
    func report(_ device: DeviceID, _ door: KeyedDoor) -> StatusReport? {
      door.stage.inbox(device).lazy.compactMap {
        if case .status(_, let report) = $0 { report } else { nil }
      }.first
    }
    door.stage.post(.status(), from: "ann")
    door.stage.post(.status(), from: "admin")
    #expect(report("ann", door)?.usage == [])
    let usage = try #require(report("admin", door)?.usage)
    #expect(
      usage.map { "\($0.limit) \($0.used)" } == [
        "peers 2", "groups 1", "users 0", "trays 0", "names 1",
      ])
    #expect(usage.first { $0.limit == "names" }?.most == Limits().names)
  }

  @Test func `only an administrator is told all names, as many as an answer holds`() throws {
    for (statusBytes, listed) in [(Limits().statusBytes, 2), (400, 0)] {
      var limits = Limits()
      limits.statusBytes = statusBytes
      var door = try KeyedDoor(limits: limits)
      try door.found()
      try door.enter("ben")
      door.stage.disconnect("ben")
      door.administer()
      for (device, count) in [("ann", 0), ("admin", listed)] as [(DeviceID, Int)] {
        door.stage.post(.status(), from: device)
        let report = door.stage.inbox(device).lazy.compactMap {
          if case .status(_, let report) = $0 { report } else { nil }
        }.first
        let names = try #require(report).names
        let all: [StatusReport.Name] = [
          .init("ann", isConnected: true, isHeld: false),
          .init("ben", isConnected: false, isHeld: false),
        ]
        #expect(names == Array(all.prefix(count)), "\(device)")
        #expect(report?.hasMoreNames == (device == "admin" && listed == 0))
      }
    }
  }

  @Test func `an administrator shows the key, where nobody on the way reads it`() throws {
    var door = try KeyedDoor()
    let cases: [(PeerAddress, String, ErrorCode)] = [
      (KeyedDoor.address(1), KeyedDoor.administratorKey, .tlsRequired),
      (KeyedDoor.address(0, isLoopback: true), "0123456789abcdeX", .wrongKey),
    ]
    for (address, key, code) in cases {
      let peer = door.stage.connectSilently(from: address)
      var hello = door.stage.hello("admin")
      hello.administratorKey = key
      door.stage.say(.hello(hello), on: peer)
      #expect(door.end(of: peer)?.code == code)
    }
    let peer = door.stage.connectSilently(from: KeyedDoor.address(1))
    door.stage.handle(.secured(peer))
    var hello = door.stage.hello("admin")
    hello.administratorKey = KeyedDoor.administratorKey
    door.stage.say(.hello(hello), on: peer)
    #expect(door.welcome(of: peer) != nil)
  }

  @Test func `a freed name is out, loses what it had, and belongs to who comes next`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    try door.stage.ask(
      "ben", .notifications(.register(PushEndpoint.browser("phone"))))
    #expect(door.stage.tray("ben") != nil)
    let token = try #require(door.stage["ben"].token)
    let old = door.stage["ben"].peer
    door.administer()
    try door.stage.ask("admin", .freeName("ben"))
    #expect(door.end(of: old)?.reason == "freed" && door.members == ["ann"])
    #expect(door.stage.tray("ben") == nil && door.kept("ben").isEmpty)
    let thief = door.greet("ben", resume: Resumption(token: token))
    #expect(door.welcome(of: thief) == nil)
    // The old credential is worth no more than any other now.
    door.wipe("ben")
    try door.enter("ben")
    #expect(door.members == ["ann", "ben"] && door.kept("ben").count == 1)
  }

  // MARK: Pairing

  @Test func `another device comes in with a code, once the first one confirms`() throws {
    var door = try KeyedDoor()
    try door.found()
    let code = try door.code(.pair(), from: "ann")
    for _ in 1...2 {
      let peer = door.greet("phone", as: "ann", code: code)
      #expect(door.end(of: peer)?.code == .pairingPending && door.end(of: peer)?.retryAfter != nil)
    }
    let asked = door.stage.inbox("ann").filter { $0 == .pairingAsked(name: "phone") }
    #expect(asked.count == 1)
    // Somebody who looked over her shoulder comes second.
    let eve = door.greet("eve", as: "ann", code: code)
    #expect(door.end(of: eve)?.code == .pairingRefused)
    try door.stage.ask("ann", .confirmPairing(true))
    let peer = door.greet("phone", as: "ann", code: code)
    #expect(door.welcome(of: peer)?.isProved == true)
    try door.stage.ask("phone", .joinGroup("g"))
    #expect(door.members == ["ann", "ann"])
    let late = door.greet("late", as: "ann", code: code)
    #expect(door.end(of: late)?.code == .pairingRefused, "a code lets one device in")
    door.stage.crash()
    #expect(door.refusal("phone", as: "ann") == nil)
  }

  @Test func `a code is neither told nor taken where somebody on the way reads it`() throws {
    var door = try KeyedDoor()
    try door.found()
    let code = try door.code(.pair(), from: "ann")
    let away = KeyedDoor.address(1)
    #expect(door.refusal("phone", as: "ann", code: code, from: away) == .tlsRequired)
    #expect(
      door.refusal("phone", as: "ann", code: code, isSecured: true, from: away) == .pairingPending)
    try door.stage.ask("ann", .confirmPairing(true))
    #expect(door.refusal("phone", as: "ann", code: code, isSecured: true, from: away) == nil)
    door.stage.disconnect("phone")
    #expect(door.refusal("phone", as: "ann", from: away) == nil)
    #expect(try door.stage.refusal("phone", .pair()).code == .tlsRequired)
  }

  @Test func `a device that is not confirmed stays out`() throws {
    var door = try KeyedDoor()
    try door.found()
    let code = try door.code(.pair(), from: "ann")
    #expect(try door.stage.refusal("ann", .confirmPairing(true)).code == .pairingRefused)
    door.greet("phone", as: "ann", code: code)
    try door.stage.ask("ann", .confirmPairing(false))
    #expect(door.refusal("phone", as: "ann", code: code) == .pairingRefused)
    #expect(door.refusal("phone", as: "ann") == .credentialRefused)
  }

  @Test func `a code is dead after five wrong ones, and after its time`() throws {
    var door = try KeyedDoor()
    try door.found()
    let first = try door.code(.pair(), from: "ann")
    for number in 1...5 { door.greet(DeviceID("eve\(number)"), as: "ann", code: "00000000") }
    #expect(door.refusal("phone", as: "ann", code: first) == .pairingRefused)
    let second = try door.code(.pair(), from: "ann")
    door.stage.advance(Limits().pairingDeadline)
    #expect(door.refusal("phone", as: "ann", code: second) == .pairingRefused)
  }

  @Test func `the administrator lets the owner of a lost credential in again`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.wipe("ann")
    door.administer()
    let code = try door.code(.pair("ann"), from: "admin")
    door.greet("new", as: "ann", code: code)
    let peer = door.greet("new", as: "ann", code: code)
    #expect(door.welcome(of: peer)?.isProved == true)
    try door.stage.ask("new", .joinGroup("g"))
  }

  @Test func `a person has only so many devices with a credential`() throws {
    var limits = Limits()
    limits.credentials = 1
    var door = try KeyedDoor(limits: limits)
    try door.found()
    let code = try door.code(.pair(), from: "ann")
    door.greet("phone", as: "ann", code: code)
    let refusal = try door.stage.refusal("ann", .confirmPairing(true))
    #expect(refusal.code == .pairingRefused && refusal.limit == 1)
  }

  // MARK: Names and groups from before

  @Test func `a name from before is held until its device resumes`() throws {
    var door = try KeyedDoor()
    door.stage = Stage()
    try door.stage.gather(["ann", "ben"])
    try door.stage.ask(
      "ann", .notifications(.register(PushEndpoint.browser("phone"))))
    let token = try #require(door.stage["ann"].token)
    door.stage.crash(access: .keys(KeyedDoor.keys))
    let eve = door.greet("eve", as: "ann")
    #expect(door.end(of: eve)?.code == .held)
    let guess = door.greet("ann", as: "ann", resume: Resumption(token: String(token.reversed())))
    #expect(door.end(of: guess)?.code == .held)
    let ann = door.greet("ann", resume: Resumption(token: token))
    #expect(door.welcome(of: ann)?.isResumed == true && door.kept("ann").count == 1)
    #expect(door.members == ["ann", "ben"])
    // The group has no key, so nobody else comes in.
    door.greet("cleo")
    #expect(
      try door.stage.refusal("cleo", .joinGroup("g", key: KeyedDoor.key())).code == .held)
    #expect(try door.stage.refusal("ann", .changeKey()).code == .noKey)
  }

  @Test func `who resumes from before owns the name, whether or not there is anything for it`()
    throws
  {
    var door = try KeyedDoor()
    door.stage = Stage()
    try door.stage.gather(["ann", "ben"])
    let token = try #require(door.stage["ann"].token)
    door.stage.crash(access: .keys(KeyedDoor.keys))
    let ann = door.greet("ann", resume: Resumption(token: token))
    #expect(door.welcome(of: ann)?.isProved == true && door.kept("ann").count == 1)
    #expect(door.refusal("eve", as: "ann") == .credentialRefused)
  }

  @Test func `the administrator lets the owner of a held name in`() throws {
    var door = try KeyedDoor()
    door.stage = Stage()
    door.stage.connect(as: "ann")
    try door.stage.ask(
      "ann", .notifications(.register(PushEndpoint.browser("phone"))))
    door.stage.disconnect("ann")
    var notifications = door.stage.coordinator.people.notifications
    notifications.administratorKey = try AdministratorKey(KeyedDoor.administratorKey)
    let journal = door.stage.journal
    door.stage = Stage(
      access: .keys(KeyedDoor.keys), notifications: notifications, journal: journal)
    door.stage.handle(.recovered(try journal.recovery()))
    #expect(door.refusal("ann") == .held)
    door.administer()
    let code = try door.code(.pair("ann"), from: "admin")
    door.greet("ann", code: code)
    #expect(door.refusal("ann", code: code) == nil)
    #expect(door.stage.tray("ann") != nil)
  }
}

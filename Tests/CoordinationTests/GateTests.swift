import GroupSessions
import InAppMessaging
import Naming
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Who comes in with a token, for how long, and what the token entitles them to.
@Suite struct GateTests {
  // MARK: Coming in

  @Test func `who shows a token is who it says, by the name that it says`() throws {
    var door = try Door()
    let peer = door.greet("phone", as: "ann", try Door.token("ann", name: "Ann"))
    let welcome = try #require(door.welcome(of: peer))
    #expect(welcome.access == .tokens)
    try door.stage.ask("phone", .joinGroup("g"))
    let members = try #require(
      door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.values)
    #expect(members.map(\.user) == ["ann"])
    #expect(members.map(\.identity.name) == ["Ann"], "a hello's name proves nothing")
    #expect(members.map(\.device) == [welcome.device])
  }

  @Test func `who shows none, or a bad one, is told why and hung up on`() throws {
    var door = try Door()
    let early = try Door.token("ann", for: -61)
    let cases: [(String?, ErrorCode, String?)] = [
      (nil, .credentialRequired, nil), ("x", .credentialRefused, "malformed"),
      (try Door.token("ann", secret: Door.other), .credentialRefused, "signature"),
      (early, .credentialRefused, "expired"),
      (try Door.token("bob"), .credentialRefused, "user"),
    ]
    for (token, code, reason) in cases {
      let peer = door.greet("phone", as: "ann", token)
      #expect(door.end(of: peer)?.code == code && door.end(of: peer)?.reason == reason)
      #expect(door.welcome(of: peer) == nil)
    }
    #expect(door.stage.coordinator.front.devices.isEmpty)
  }

  @Test func `nobody takes another person's device`() throws {
    var door = try Door()
    try door.enter("ann")
    let token = try #require(door.stage["ann"].token)
    // Bob names his device as Ann's, and even knows the secret with which hers resumes.
    let bob = door.greet("ann", as: "bob", try Door.token("bob"))
    #expect(door.welcome(of: bob) != nil && door.end(of: bob) == nil)
    let thief = door.greet(
      "ann", as: "bob", try Door.token("bob"), resume: Resumption(token: token))
    #expect(door.welcome(of: thief) == nil)
    #expect(door.stage.coordinator.groups.rooms.groups["g"]?.group?.lost.isEmpty == true)
  }

  @Test func `a device without the secret that it resumes with replaces its old connection`() throws
  {
    var door = try Door()
    try door.enter("ann")
    let old = try #require(door.stage.peers["ann"])
    let new = door.greet("ann", as: "ann", try Door.token("ann"))
    #expect(door.end(of: old)?.code == .superseded)
    #expect(door.welcome(of: new)?.isResumed == false)
    door.stage.handle(.disconnected(old))  // The shell's late word changes nothing.
    try door.stage.ask("ann", .joinGroup("g"))
    let group = try #require(door.stage.coordinator.groups.rooms.groups["g"]?.group)
    #expect(group.members.count == 1 && group.lost.isEmpty)
  }

  @Test func `a device resumes only with a valid token, too`() throws {
    var door = try Door()
    try door.enter("ann")
    let resumption = Resumption(token: try #require(door.stage["ann"].token))
    door.stage.disconnect("ann")
    let bare = door.greet("ann", as: "ann", nil, resume: resumption)
    #expect(door.end(of: bare)?.code == .credentialRequired)
    let back = door.greet("ann", as: "ann", try Door.token("ann"), resume: resumption)
    #expect(door.welcome(of: back)?.isResumed == true)
    #expect(door.stage.coordinator.groups.rooms.groups["g"]?.group?.lost.isEmpty == true)
  }

  @Test func `a name that a later token says is shown from the next joining on`() throws {
    var door = try Door()
    func join() throws -> [String]? {
      try door.stage.ask("ann", .joinGroup("g"))
      let members = door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.values
      return members?.map(\.identity.name)
    }
    door.greet("ann", as: "ann", try Door.token("ann", name: "Ann"))
    #expect(try join() == ["Ann"])
    try door.stage.ask("ann", .renew(credential: try Door.token("ann", name: "Anna")))
    try door.stage.ask("ann", .leaveGroup)
    #expect(try join() == ["Anna"])
    let resumption = Resumption(token: try #require(door.stage["ann"].token))
    door.stage.disconnect("ann")
    door.greet("ann", as: "ann", try Door.token("ann", name: "Annabel"), resume: resumption)
    try door.stage.ask("ann", .leaveGroup)
    #expect(try join() == ["Annabel"])
  }

  // MARK: What it entitles to

  // Proves: S6
  @Test func `a person enters the groups that the token names, and an administrator all`() throws {
    var door = try Door()
    door.greet("ann", as: "ann", try Door.token("ann", groups: ["friday", "club-*"]))
    for group in ["fridays", "g", "club", ""] as [GroupID] {
      let refusal = try door.stage.refusal("ann", .joinGroup(group))
      #expect(refusal.code == .forbidden && refusal.reason == "group")
    }
    try door.stage.ask("ann", .joinGroup("club-film"))
    door.greet("eve", as: "eve", try Door.token("eve", groups: [], admin: true))
    try door.stage.ask("eve", .joinGroup("club-film"))
  }

  @Test func `only an administrator sees groups from outside`() throws {
    var door = try Door()
    door.greet("ann", as: "ann", try Door.token("ann"))
    #expect(try door.stage.refusal("ann", .status(after: nil)).reason == "administrator")
    door.greet("eve", as: "eve", try Door.token("eve", groups: [], admin: true))
    let asked = door.stage.post(.status(after: nil), from: "eve")
    #expect(
      door.stage["eve"].received.contains {
        if case .status(asked, _) = $0 { true } else { false }
      })
  }

  // Proves: R-6
  @Test func `a draft is there for administrators only, where people show who they are`() throws {
    var door = try Door()
    door.stage.handle(
      .campaigns(try CampaignSet([.sample("m"), .sample("draft") { $0.state = .draft }])))
    let test = MessagingRequest.test("draft", variant: nil, event: nil, [:])
    for (device, isAdministrator) in [("ann", false), ("eve", true)] as [(DeviceID, Bool)] {
      let user = UserID(device.text)
      door.greet(device, as: user, try Door.token(user, admin: isAdministrator))
      try door.stage.tell(device, .appState(AppState(isVisible: true, epoch: 1)))
      door.stage.post(.messaging(.explain(nil)), from: device)
      guard case .explanation(_, let told)? = door.stage.inbox(device).last else {
        Issue.record("\(door.stage.inbox(device))")
        continue
      }
      #expect(told.map(\.campaign) == (isAdministrator ? ["draft", "m"] : ["m"]))
      if isAdministrator {
        try door.stage.tell(device, test)
        #expect(door.stage.deliveries(device).map(\.campaign?.id) == ["draft"])
      } else {
        for request in [test, .explain("draft")] {
          let refusal = try door.stage.refusal(device, .messaging(request))
          #expect(refusal.code == .unknownCampaign)
        }
      }
    }
  }

  @Test func `what takes the right is refused for its lack, and not for that of a key`() throws {
    var door = try Door()
    door.greet("ann", as: "ann", try Door.token("ann"))
    let hi = NotificationPayload.Alert(body: "Hi")
    for request in [
      .push(DirectPush(to: "bob", NotificationPayload(hi))),
      .publish(TopicPublication(to: "app/news", alert: hi)),
    ] as [TrayRequest] {
      let refusal = try door.stage.refusal("ann", .notifications(request))
      #expect(refusal.code == .forbidden && refusal.reason == "administrator")
    }
    door.greet("eve", as: "eve", try Door.token("eve", admin: true))
    for (device, request) in [("ann", .pair()), ("eve", .pair("ann"))] as [(DeviceID, Request)] {
      let refusal = try door.stage.refusal(device, request)
      #expect(refusal.code == .pairingRefused && refusal.advice.contains("access by keys"))
    }
  }

  @Test func `who founds a group sees no other one before its own is stored`() throws {
    var door = try Door()
    try door.enter("ann")
    door.greet("bob", as: "bob", try Door.token("bob", groups: ["h"]))
    door.stage.isHeld = true
    door.stage.post(.joinGroup("h"), from: "bob")
    door.stage.post(.status(), from: "bob")
    let reports = door.stage.inbox("bob").compactMap { message -> StatusReport? in
      if case .status(_, let report) = message { report } else { nil }
    }
    #expect(reports.map(\.groups.count) == [0])
  }

  // MARK: Its end

  @Test func `a minute before its end a client is told, and at its end hung up on`() throws {
    var door = try Door()
    try door.enter("ann", for: 120)
    let peer = try #require(door.stage.peers["ann"])
    door.stage.advance(.seconds(59))
    #expect(!door.isTold("ann"))
    door.stage.advance(.seconds(2))
    #expect(door.isTold("ann") && door.end(of: peer) == nil)
    door.stage.advance(.seconds(60))
    #expect(door.end(of: peer)?.code == .credentialExpired)
  }

  @Test func `renewed in time, the connection stays; by another person's token it is not renewed`()
    throws
  {
    var door = try Door()
    try door.enter("ann", for: 120)
    let peer = try #require(door.stage.peers["ann"])
    let foreign = try Door.token("bob", for: 3_600)
    #expect(try door.stage.refusal("ann", .renew(credential: foreign)).reason == "user")
    try door.stage.ask("ann", .renew(credential: try Door.token("ann", for: 400)))
    door.stage.advance(.seconds(300))
    #expect(door.end(of: peer) == nil && !door.isTold("ann"))
    door.stage.advance(.seconds(101))
    #expect(door.end(of: peer)?.code == .credentialExpired)
  }

  @Test func `a group that the new token does not name is left`() throws {
    var door = try Door()
    try door.enter("ann")
    try door.enter("bob")
    try door.stage.ask("ann", .renew(credential: try Door.token("ann", groups: ["other"])))
    let members = door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.values
    #expect(members?.map(\.user) == ["bob"])
    try door.stage.ask("ann", .joinGroup("other"))
  }

  @Test(arguments: [false, true])
  func `a group that the new token does not name is left once that can be stored`(
    isPaused: Bool
  ) throws {
    var door = try Door()
    try door.enter("ann")
    try door.enter("bob")
    door.stage.journal.failures = 1
    if isPaused { _ = try door.stage.refusal("bob", .setSharing(false)) }
    try door.stage.ask("ann", .renew(credential: try Door.token("ann", groups: ["other"])))
    #expect(door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.count == 2)
    door.stage.advance(Limits().journalRetry)
    let members = door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.values
    #expect(members?.map(\.user) == ["bob"])
    // What it joins next is not left for it.
    try door.stage.ask("ann", .joinGroup("other"))
    door.stage.journal.failures = 1
    _ = try door.stage.refusal("ann", .setSharing(false))
    door.stage.advance(Limits().journalRetry)
    #expect(door.stage.coordinator.groups.rooms.groups["other"]?.group?.members.count == 1)
  }

  @Test
  func `a device whose token no longer names its group sees nothing of it when it comes back`()
    throws
  {
    var door = try Door()
    try door.enter("ann")
    try door.enter("bob")
    let resumption = Resumption(token: try #require(door.stage["ann"].token))
    door.stage.disconnect("ann")
    let token = try Door.token("ann", groups: ["other"])
    let back = door.greet("ann", as: "ann", token, resume: resumption)
    #expect(door.welcome(of: back) == nil && door.stage.clients[back]?.received.count == 1)
    door.stage.handle(.disconnected(back))
    let anew = door.greet("ann", as: "ann", token)
    #expect(door.welcome(of: anew)?.isResumed == false)
    let members = door.stage.coordinator.groups.rooms.groups["g"]?.group?.members.values
    #expect(members?.map(\.user) == ["bob"])
    try door.stage.ask("ann", .joinGroup("other"))
  }

  @Test func `a key that is taken away closes its connections and no other`() throws {
    var door = try Door()
    try door.enter("ann")
    let peer = try #require(door.stage.peers["ann"])
    door.stage.handle(.access(try Door.access(Door.secret)))
    #expect(door.end(of: peer) == nil)
    door.stage.handle(.access(try Door.access(Door.other)))
    #expect(door.end(of: peer)?.code == .credentialRefused)
    #expect(door.end(of: peer)?.reason == "key")
  }

  @Test func `where access is open nothing is asked, and a token means nothing`() throws {
    var stage = Stage()
    let peer = stage.connect(as: "ann")
    #expect(stage.clients[peer]?.closedWith == nil)
    try stage.ask("ann", .renew(credential: "anything"))
  }

  @Test func `where access is open, too, a name that a resuming hello says is shown next`() throws {
    var stage = Stage()
    stage.connect(as: "ann", name: "Ann")
    try stage.ask("ann", .joinGroup("g"))
    let resumption = Resumption(token: try #require(stage["ann"].token))
    stage.disconnect("ann")
    let peer = stage.connectSilently()
    stage.say(.hello(stage.hello("ann", name: "Anna", resume: resumption)), on: peer)
    stage.peers["ann"] = peer
    try stage.ask("ann", .leaveGroup)
    try stage.ask("ann", .joinGroup("g"))
    let members = stage.coordinator.groups.rooms.groups["g"]?.group?.members.values
    #expect(members?.map(\.identity.name) == ["Anna"])
  }
}

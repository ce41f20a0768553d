import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Spectators and visitors who change their minds, come back, or are many.
struct AudienceRaceTests {
  @Test func `a rush of joins that wait for the journal finds its places, and an audience`() throws
  {
    let devices = (0..<400).map { DeviceID("d\($0)") }
    var (stage, id) = try Stage.hall(devices, isWatching: false)
    stage.isHeld = true
    let requests = devices.map { stage.post(.join(id, handoffFrom: nil), from: $0) }
    stage.isHeld = false
    stage.release()
    for (device, request) in zip(devices, requests) {
      #expect(stage[device].answers[request]?.count == 1, "\(device)")
    }
    #expect(stage.session(id)?.participants.count == 2)
    #expect(stage.coordinator.groups.onlookers.spectatorCount == 398)
    stage.checkMirrors()
  }

  @Test func `a rush of comers who wait for the journal makes no more members than places`() throws
  {
    var (stage, _) = try Stage.hall(["ann", "ben"]) { $0.namedPlaces = 3 }
    let devices = (0..<20).map { DeviceID("d\($0)") }
    for device in devices { stage.connect(as: device, features: Stage.watcher) }
    stage.isHeld = true
    let requests = devices.map { stage.post(.joinGroup("g"), from: $0) }
    stage.isHeld = false
    stage.release()
    for (device, request) in zip(devices, requests) {
      #expect(stage[device].answers[request]?.count == 1, "\(device)")
    }
    #expect(devices.count { stage.isMember($0) } == 1)
    #expect(stage.coordinator.groups.onlookers.visitors(of: "g").count == 19)
    stage.checkMirrors()
  }

  @Test func `another device takes over in a full session`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob"], isWatching: false)
    let phone = try stage.join("ann", id)
    try stage.join("bob", id)
    try stage.come("tv", user: "ann")
    let tv = try stage.join("tv", id, handoffFrom: phone)
    #expect(stage.session(id)?.participants[tv]?.device == "tv")
    #expect(stage.session(id)?.participants.count == 2)
    #expect(!stage.isSpectator("tv") && stage.isMember("tv"))
    stage.checkMirrors()
  }

  @Test func `an invited visitor gets a place by joining, too`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob"])
    try stage.come("cai")
    try stage.join("cai", id)
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    try stage.join("cai", id)
    #expect(!stage.isSpectator("cai") && stage.isMember("cai"))
    #expect(stage.session(id)?.participant(on: "cai") != nil)
    #expect(stage.coordinator.groups.onlookers.spectatorCount == 0)
    stage.checkMirrors()
  }

  @Test func `an invited person who finds no place watches, and has it once it is free`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"], isWatching: false)
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    guard case .joined = try stage.ask("cai", .answerInvitation(id, .accepted, seq: nil)) else {
      Issue.record("not in")
      return
    }
    #expect(stage.isSpectator("cai"))
    try stage.ask("bob", .leave(nil))
    try stage.join("cai", id)
    #expect(!stage.isSpectator("cai"))
    stage.checkMirrors()
  }

  @Test func `a visitor whom the group cannot take stays one, and is told`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob"]) { $0.groupMembers = 2 }
    try stage.come("cai")
    try stage.join("cai", id)
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    #expect(try stage.refusal("cai", .join(id, handoffFrom: nil)).code == .groupFull)
    #expect(stage.isSpectator("cai"))
    try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    #expect(stage["cai"].mirror?.seq == stage.session(id)?.seq)
    stage.checkMirrors()
  }

  @Test func `a visitor who leaves while it is made a member is in no group`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob"])
    try stage.come("cai")
    try stage.join("cai", id)
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    stage.isHeld = true
    let join = stage.post(.join(id, handoffFrom: nil), from: "cai")
    let leave = stage.post(.leaveGroup, from: "cai")
    stage.isHeld = false
    stage.release()
    for request in [join, leave] { #expect(stage["cai"].answers[request]?.count == 1) }
    #expect(!stage.isMember("cai"))
    #expect(stage.coordinator.groups.seats["cai"]?.group == nil)
    #expect(stage.session(id)?.participant(on: "cai") == nil)
    stage.checkMirrors()
  }

  @Test func `who leaves while its join waits does not take part`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"])
    try stage.ask("bob", .leave(nil))
    stage.isHeld = true
    stage.post(.join(id, handoffFrom: nil), from: "cai")
    stage.post(.leave(nil), from: "cai")
    stage.isHeld = false
    stage.release()
    #expect(stage.session(id)?.participant(on: "cai") == nil)
    #expect(stage.coordinator.groups.seats["cai"]?.session == nil)
    stage.checkMirrors()
  }

  @Test(arguments: [Request.leaveGroup, .closeGroup()])
  func `a member who watches is told when it is out`(_ request: Request) throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"])
    stage.forget()
    if case .leaveGroup = request {
      try stage.ask("cai", request)
    } else {
      try stage.ask("ann", request)
    }
    let words = stage.inbox("cai").filter {
      switch $0 {
      case .sessionLeft(id, .left), .sessionOver(id, .groupClosed): true
      default: false
      }
    }
    #expect(words.count == 1)
    #expect(stage.coordinator.groups.seats["cai"]?.isSpectator == false)
  }

  @Test func `after a restart a member watches on, although a place is free`() throws {
    var (stage, _) = try Stage.hall(["ann", "bob", "cai"])
    try stage.ask("bob", .leave(nil))
    stage.crash()
    for device: DeviceID in ["ann", "cai"] { stage.resume(device, features: Stage.watcher) }
    #expect(stage.isSpectator("cai"))
    stage.checkMirrors()
  }

  @Test func `who does not share does not watch`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"], isWatching: false)
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try stage.ask("cai", .setSharing(false))
    #expect(try stage.refusal("cai", .join(id, handoffFrom: nil)).code == .notEligible)
  }

  @Test func `who joins or comes back is told how many watch`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"])
    stage.advance(.seconds(1))
    stage.disconnect("bob")
    stage.resume("bob", features: Stage.watcher)
    let told = stage.inbox("bob").compactMap {
      if case .audience(id, let size) = $0 { size } else { nil }
    }
    #expect(told == [AudienceSize(count: 1)])
  }

  @Test func `what is sent to an audience costs by its number`() throws {
    var (stage, _) = try Stage.hall((0..<300).map { DeviceID("d\($0)") }) {
      $0.groupCostBurst = 400_000
      $0.groupCostPerSecond = 1
    }
    let message = JSONText(validated: "\"" + String(repeating: "x", count: 2_000) + "\"")
    try stage.ask("d0", .send(nil, message, to: .all))
    #expect(
      try stage.refusal("d0", .send(nil, message, to: .all)).code == .rateLimited,
      "the first one went to three hundred, not to two")
  }
}

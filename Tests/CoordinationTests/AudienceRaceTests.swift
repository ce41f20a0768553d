import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Spectators and visitors who change their minds, come back, or are many.
struct AudienceRaceTests {
  private static let watcher: Set<Feature> = [.sessions, .audience]

  /// These devices in one group, and a session with two named places.
  private func hall(
    _ devices: [DeviceID], _ change: (inout Limits) -> Void = { _ in }
  ) throws -> (Stage, SessionID) {
    var limits = Limits()
    limits.namedPlaces = 2
    change(&limits)
    var stage = Stage(limits: limits)
    for device in devices {
      stage.connect(as: device, features: Self.watcher)
      try stage.ask(device, .joinGroup("g"))
    }
    let id = try stage.activate(devices[0], Activation(Stage.movie(), hasAudience: true))
    return (stage, id)
  }

  private func come(_ device: DeviceID, user: UserID? = nil, on stage: inout Stage) throws {
    stage.connect(as: device, user: user, features: Self.watcher)
    try stage.ask(device, .joinGroup("g"))
  }

  private func isSpectator(_ device: DeviceID, _ stage: Stage) -> Bool {
    stage.coordinator.groups.seats[device]?.isSpectator == true
  }

  private func isMember(_ device: DeviceID, _ stage: Stage) -> Bool {
    stage.coordinator.groups.groups["g"]?.group?.members[device] != nil
  }

  @Test func `a rush of joins that wait for the journal finds its places, and an audience`() throws
  {
    let devices = (0..<400).map { DeviceID("d\($0)") }
    var (stage, id) = try hall(devices)
    stage.isHeld = true
    let requests = devices.map { stage.post(.join(id, handoffFrom: nil), from: $0) }
    stage.isHeld = false
    stage.release()
    for (device, request) in zip(devices, requests) {
      #expect(stage[device].answers[request]?.count == 1, "\(device)")
    }
    #expect(stage.session(id)?.participants.count == 2)
    #expect(stage.coordinator.groups.spectatorCount == 398)
    stage.checkMirrors()
  }

  @Test func `another device takes over in a full session`() throws {
    var (stage, id) = try hall(["ann", "bob"])
    let phone = try stage.join("ann", id)
    try stage.join("bob", id)
    try come("tv", user: "ann", on: &stage)
    let tv = try stage.join("tv", id, handoffFrom: phone)
    #expect(stage.session(id)?.participants[tv]?.device == "tv")
    #expect(stage.session(id)?.participants.count == 2)
    #expect(!isSpectator("tv", stage) && isMember("tv", stage))
    stage.checkMirrors()
  }

  @Test func `an invited visitor gets a place by joining, too`() throws {
    var (stage, id) = try hall(["ann", "bob"])
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try come("cai", on: &stage)
    try stage.join("cai", id)
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    try stage.join("cai", id)
    #expect(!isSpectator("cai", stage) && isMember("cai", stage))
    #expect(stage.session(id)?.participant(on: "cai") != nil)
    #expect(stage.coordinator.groups.spectatorCount == 0)
    stage.checkMirrors()
  }

  @Test func `an invited person who finds no place watches, and has it once it is free`() throws {
    var (stage, id) = try hall(["ann", "bob", "cai"])
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    guard case .joined = try stage.ask("cai", .answerInvitation(id, .accepted, seq: nil)) else {
      Issue.record("not in")
      return
    }
    #expect(isSpectator("cai", stage))
    try stage.ask("bob", .leave(nil))
    try stage.join("cai", id)
    #expect(!isSpectator("cai", stage))
    stage.checkMirrors()
  }

  @Test func `a visitor whom the group cannot take stays one, and is told`() throws {
    var (stage, id) = try hall(["ann", "bob"]) { $0.groupMembers = 2 }
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try come("cai", on: &stage)
    try stage.join("cai", id)
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    #expect(try stage.refusal("cai", .join(id, handoffFrom: nil)).code == .groupFull)
    #expect(isSpectator("cai", stage))
    try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    #expect(stage["cai"].mirror?.seq == stage.session(id)?.seq)
    stage.checkMirrors()
  }

  @Test func `a visitor who leaves while it is made a member is in no group`() throws {
    var (stage, id) = try hall(["ann", "bob"])
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try come("cai", on: &stage)
    try stage.join("cai", id)
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    stage.isHeld = true
    let join = stage.post(.join(id, handoffFrom: nil), from: "cai")
    let leave = stage.post(.leaveGroup, from: "cai")
    stage.isHeld = false
    stage.release()
    for request in [join, leave] { #expect(stage["cai"].answers[request]?.count == 1) }
    #expect(!isMember("cai", stage))
    #expect(stage.coordinator.groups.seats["cai"]?.group == nil)
    #expect(stage.session(id)?.participant(on: "cai") == nil)
    stage.checkMirrors()
  }

  @Test func `who leaves while its join waits does not take part`() throws {
    var (stage, id) = try hall(["ann", "bob", "cai"])
    for device: DeviceID in ["ann", "bob", "cai"] { try stage.join(device, id) }
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
    var (stage, id) = try hall(["ann", "bob", "cai"])
    for device: DeviceID in ["ann", "bob", "cai"] { try stage.join(device, id) }
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
    var (stage, id) = try hall(["ann", "bob", "cai"])
    for device: DeviceID in ["ann", "bob", "cai"] { try stage.join(device, id) }
    try stage.ask("bob", .leave(nil))
    stage.crash()
    for device: DeviceID in ["ann", "cai"] { stage.resume(device, features: Self.watcher) }
    #expect(isSpectator("cai", stage))
    stage.checkMirrors()
  }

  @Test func `who does not share does not watch`() throws {
    var (stage, id) = try hall(["ann", "bob", "cai"])
    for device: DeviceID in ["ann", "bob"] { try stage.join(device, id) }
    try stage.ask("cai", .setSharing(false))
    #expect(try stage.refusal("cai", .join(id, handoffFrom: nil)).code == .notEligible)
  }

  @Test func `who joins or comes back is told how many watch`() throws {
    var (stage, id) = try hall(["ann", "bob", "cai"])
    for device: DeviceID in ["ann", "bob", "cai"] { try stage.join(device, id) }
    stage.advance(.seconds(1))
    stage.disconnect("bob")
    stage.resume("bob", features: Self.watcher)
    let told = stage.inbox("bob").compactMap {
      if case .audience(id, let size) = $0 { size } else { nil }
    }
    #expect(told == [AudienceSize(count: 1)])
  }

  @Test func `what is sent to an audience costs by its number`() throws {
    var (stage, id) = try hall((0..<300).map { DeviceID("d\($0)") }) {
      $0.groupCostBurst = 400_000
      $0.groupCostPerSecond = 1
    }
    for place in 0..<300 { try stage.join(DeviceID("d\(place)"), id) }
    let message = JSONText(validated: "\"" + String(repeating: "x", count: 2_000) + "\"")
    try stage.ask("d0", .send(nil, message, to: .all))
    #expect(
      try stage.refusal("d0", .send(nil, message, to: .all)).code == .rateLimited,
      "the first one went to three hundred, not to two")
  }
}

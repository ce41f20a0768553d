import GroupSessions
import Naming
import Testing
import Vocabulary

@Suite struct GroupTests {
  private var now: Instant { Instant(microseconds: 0) }

  private func run(
    _ group: inout Group, _ command: GroupCommand, at now: Instant = Instant(microseconds: 0),
    limits: Limits = Limits()
  ) throws(GroupRejection) -> [GroupEvent] {
    let before = group
    let events = try group.decide(command, at: now, limits: limits)
    for event in events { group.evolve(event) }
    #expect(group.seq == before.seq + events.count)
    return events
  }

  private func member(_ name: String, understands: Bool = true) -> Member {
    Member(
      device: DeviceID(name), user: UserID(name), name: name, understandsSessions: understands)
  }

  private func group(_ names: String...) throws -> Group {
    var group = Group(id: "g", founder: "ann")
    for name in names { _ = try run(&group, .join(member(name))) }
    return group
  }

  /// A deadline of somebody who is not there would never pass, and wake the server for ever.
  @Test func `a journal that loses a stranger leaves no deadline`() throws {
    var group = try group("ann")
    group.evolve(.memberLost("bob", until: now))
    #expect(group.lost.isEmpty && group.nextDeadline == nil)
  }

  /// Each condition of eligibility, in the order in which it is named.
  @Test func `a device is eligible if and only if every condition holds`() throws {
    let limits = Limits()
    var group = try group("ann")
    #expect(group.eligibility(of: "ann", limits: limits) == .ineligible(.alone))
    _ = try run(&group, .join(member("bob")))
    #expect(group.eligibility(of: "ann", limits: limits) == .eligible)
    #expect(group.eligibility(of: "cat", limits: limits) == .ineligible(.notInGroup))
    _ = try run(&group, .join(member("old", understands: false)))
    #expect(group.eligibility(of: "old", limits: limits) == .ineligible(.clientTooOld))
    _ = try run(&group, .setSharing("bob", false))
    #expect(group.eligibility(of: "bob", limits: limits) == .ineligible(.sharingDisabled))
    #expect(group.eligibility(of: "ann", limits: limits) == .eligible)
    _ = try run(&group, .lose("bob"))
    #expect(group.eligibility(of: "bob", limits: limits) == .ineligible(.notConnected))
    #expect(group.eligibility(of: "ann", limits: limits) == .eligible)
    _ = try run(&group, .lose("old"))
    #expect(group.eligibility(of: "ann", limits: limits) == .ineligible(.alone))
    _ = try run(&group, .close(by: "ann"))
    #expect(group.eligibility(of: "ann", limits: limits) == .ineligible(.groupClosed))
  }

  @Test func `a group without a key knows whom it removed until it closes`() throws {
    var group = try group("ann", "bob")
    #expect(
      try run(&group, .removeUser("bob", by: "ann")) == [
        .memberLeft("bob", .removed), .userRemoved("bob"),
      ])
    #expect(try run(&group, .removeUser("bob", by: nil)) == [])
    #expect(throws: GroupRejection.removed) { try run(&group, .join(member("bob"))) }
    #expect(throws: GroupRejection.noKey) { try run(&group, .changeKey(by: "ann")) }
    #expect(try run(&group, .leave("ann")) == [.memberLeft("ann", .left), .closed])
  }

  @Test func `a group without a key closes behind the last whom it removes`() throws {
    var group = Group(id: "g", founder: "ann")
    _ = try run(&group, .join(member("bob")))
    #expect(
      try run(&group, .removeUser("bob", by: nil)) == [
        .memberLeft("bob", .removed), .userRemoved("bob"), .closed,
      ])
  }

  @Test func `repeats change nothing`() throws {
    var group = try group("ann", "bob")
    #expect(try run(&group, .join(member("ann"))).isEmpty)
    #expect(try run(&group, .setSharing("ann", true)).isEmpty)
    #expect(try run(&group, .resume("ann")).isEmpty)
    _ = try run(&group, .lose("ann"))
    #expect(try run(&group, .lose("ann")).isEmpty)
    #expect(try run(&group, .endSession("s")).isEmpty)
  }

  @Test func `a lost member is out after the grace, and back by any sign before`() throws {
    var group = try group("ann", "bob")
    let grace = Limits().resumeGrace
    _ = try run(&group, .lose("bob"))
    #expect(group.nextDeadline == now + grace)
    _ = try run(&group, .resume("bob"))
    #expect(group.nextDeadline == nil)
    _ = try run(&group, .lose("bob"))
    #expect(try run(&group, .join(member("bob"))) == [.memberResumed("bob")])
    _ = try run(&group, .lose("bob"))
    #expect(
      try run(&group, .clockAdvanced, at: now + grace) == [.memberLeft("bob", .connectionLost)])
    #expect(group.nextDeadline == nil)
  }

  @Test func `an interruption gives the grace to those who were connected`() throws {
    var group = try group("ann", "bob")
    _ = try run(&group, .lose("bob"))
    let later = now + .seconds(1)
    let end = later + Limits().resumeGrace
    #expect(try run(&group, .interrupt, at: later) == [.interrupted(until: end)])
    #expect(group.lost["ann"] == end)
    #expect(group.lost["bob"] == now + Limits().resumeGrace)
    #expect(try run(&group, .interrupt, at: later).isEmpty, "nobody is connected")
  }

  @Test func `the last one to go closes the group`() throws {
    var group = try group("ann", "bob")
    _ = try run(&group, .leave("ann"))
    #expect(try run(&group, .leave("bob")) == [.memberLeft("bob", .left), .closed])
    #expect(group.isClosed)
    #expect(throws: GroupRejection.closed) { try run(&group, .join(member("ann"))) }
    #expect(try run(&group, .endSession("s")).isEmpty)
  }

  @Test func `a group with a key lasts for a while without members, unless it never had any`()
    throws
  {
    var group = try group()
    group.evolve(.keyChanged(generation: 1))
    #expect(try group.decide(.clockAdvanced, at: now, limits: Limits()) == [.closed])
    _ = try run(&group, .join(member("ann"), with: .founding))
    let end = now + Limits().groupRetention
    #expect(try run(&group, .leave("ann")) == [.memberLeft("ann", .left), .emptied(until: end)])
    #expect(try run(&group, .clockAdvanced, at: end - .seconds(1)).isEmpty)
    #expect(try run(&group, .clockAdvanced, at: end) == [.closed])
  }

  @Test func `only the founder closes it, and a full one says so`() throws {
    var group = try group("ann", "bob")
    #expect(throws: GroupRejection.notFounder) { try run(&group, .close(by: "bob")) }
    var limits = Limits()
    limits.groupMembers = 2
    #expect(throws: GroupRejection.full(limit: 2)) {
      try run(&group, .join(member("cat")), limits: limits)
    }
    #expect(throws: GroupRejection.notMember) { try run(&group, .leave("cat")) }
    #expect(try run(&group, .close(by: "ann")) == [.closed])
  }

  @Test func `one session is live at a time`() throws {
    var group = try group("ann", "bob")
    _ = try run(&group, .startSession("s", by: "ann", replacing: nil))
    #expect(try run(&group, .startSession("s", by: "ann", replacing: nil)).isEmpty)
    #expect(throws: GroupRejection.sessionLive("s")) {
      try run(&group, .startSession("t", by: "bob", replacing: nil))
    }
    _ = try run(&group, .startSession("t", by: "bob", replacing: "s"))
    #expect(try run(&group, .endSession("s")).isEmpty)
    #expect(group.session == "t")
    _ = try run(&group, .endSession("t"))
    #expect(group.session == nil)
    _ = try run(&group, .leave("ann"))
    #expect(throws: GroupRejection.notEligible(.alone)) {
      try run(&group, .startSession("u", by: "bob", replacing: nil))
    }
  }

  @Test func `offers go to the device a person prefers, while that can take part`() throws {
    let limits = Limits()
    var group = try group("ann", "bob")
    let tv = Member(device: "tv", user: "ann", name: "tv")
    _ = try run(&group, .join(tv))
    #expect(group.destination(of: "ann", limits: limits)?.device == "ann")
    let preference = GroupCommand.setPreferredDevice("tv", by: "ann")
    #expect(try run(&group, preference) == [.preferredDeviceSet("ann", "tv")])
    #expect(try run(&group, preference) == [])
    #expect(group.destination(of: "ann", limits: limits)?.device == "tv")
    #expect(group.destination(of: "bob", limits: limits)?.device == "bob")
    _ = try run(&group, .lose("tv"))
    #expect(group.destination(of: "ann", limits: limits)?.device == "ann")
    _ = try run(&group, .resume("tv"))
    #expect(group.destination(of: "ann", limits: limits)?.device == "tv")
    _ = try run(&group, .leave("tv"))
    #expect(group.preferredDevices.isEmpty)
    _ = try run(&group, .join(tv))
    _ = try run(&group, preference)
    #expect(
      try run(&group, .setPreferredDevice(nil, by: "tv")) == [.preferredDeviceSet("ann", nil)])
  }

  @Test func `only a device of one's own in the group can be preferred`() throws {
    var group = try group("ann", "bob")
    for device in ["bob", "nowhere"] as [DeviceID] {
      #expect(throws: GroupRejection.notYourDevice) {
        try run(&group, .setPreferredDevice(device, by: "ann"))
      }
    }
    #expect(throws: GroupRejection.notMember) {
      try run(&group, .setPreferredDevice(nil, by: "cat"))
    }
  }
}

import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

@Suite struct PermissionTests {
  /// One verb of each kind, said by a participant, and what it needs.
  static func verbs(_ id: ParticipantID) -> [(Permission?, SessionCommand)] {
    [
      (.controlPlayback, .playback(.play("a"), by: id)),
      (.controlPlayback, .playback(.pause("a"), by: id)),
      (.controlPlayback, .playback(.seek("a", to: .seconds(9)), by: id)),
      (.controlPlayback, .playback(.setRate("a", .fastest), by: id)),
      (.controlPlayback, .playback(.endSuspension(1, proposing: .zero), by: id)),
      (.controlPlayback, .setWaitingPolicy(.together, by: id)),
      (.changeActivity, .setActivity(Scene.movie("b"), ifRevision: nil, by: id)),
      (.editQueue, .queue(.setRepeat(.one), by: id)),
      (.endSession, .end(by: id)),
      (.removeParticipants, .remove("cat", isBanned: false, by: id)),
      (.manageParticipants, .remove("ann", isBanned: false, by: id)),
      (.manageParticipants, .setRole("cat", .host, by: id)),
      (.manageParticipants, .setControl(.hostsOnly, by: id)),
      (.controlPlayback, .setReadyToStart(true, of: "cat", by: id)),
      (nil, .setReadyToStart(true, by: id)),
      (nil, .setReadyToStart(true, of: id, by: id)),
      (.manageParticipants, .setDismissalPolicy(.leavesOnly, by: id)),
      (.invite, .invite(["dan"], by: id)),
      (.sendMessages, .send(JSONText(validated: "1"), to: .all, by: id)),
      (.sendMessages, .addAttachment(attachment(by: id))),
      (.editQueue, .removeAttachment("none", by: id)),
      (nil, .playback(.transition(to: "a"), by: id)),
      (nil, .playback(.suspend(.stallRecovery), by: id)),
      (nil, .playback(.endSuspension(1), by: id)),
      (nil, .playback(.ready("a", seq: 1), by: id)),
      (nil, .playback(.reportEnd("a", seq: 1), by: id)),
      (nil, .revokeInvitations(["dan"], by: id)),
      (nil, .leave(id)),
      (nil, .lose(id)),
      (nil, .resume(id)),
    ]
  }

  private static func attachment(by id: ParticipantID) -> SessionAttachment {
    SessionAttachment(id: "new", by: id, byteCount: 1, metadata: JSONText(validated: "null"))
  }

  /// What a role may do under each policy.
  static func allows(_ role: Role, _ policy: ControlPolicy, _ permission: Permission?) -> Bool {
    switch (role, permission) {
    case (.host, _), (_, nil): true
    case (.coHost, .controlPlayback), (.coHost, .changeActivity), (.coHost, .editQueue),
      (.coHost, .invite), (.coHost, .removeParticipants), (.coHost, .sendMessages),
      (.guest, .sendMessages):
      true
    case (.coHost, .endSession), (.guest, .controlPlayback), (.guest, .changeActivity),
      (.guest, .editQueue), (.guest, .endSession), (.guest, .invite):
      policy == .everyone
    default: false
    }
  }

  @Test(arguments: ControlPolicy.allCases, Role.allCases)
  func `each verb asks for one permission`(_ policy: ControlPolicy, _ role: Role) throws {
    var scene = try Scene.watching(["ann", "bob", "cat"], Scene.beginning(control: policy))
    if role != .guest { try scene.run(.setRole("bob", role, by: "ann")) }
    for (permission, command) in Self.verbs("bob") {
      let rejection = scene.rejection(command)
      if let permission, !Self.allows(role, policy, permission) {
        #expect(rejection == .forbidden(permission), "\(command)")
      } else if case .forbidden = rejection {
        Issue.record("\(command)")
      }
    }
    for (_, command) in Self.verbs("nobody") { #expect(scene.rejection(command) == .notJoined) }
  }

  @Test(arguments: ControlPolicy.allCases, Role.allCases)
  func `an item begins as its first participant proposes only if they may steer`(
    _ policy: ControlPolicy, _ role: Role
  ) throws {
    var scene = try Scene.watching(["ann", "bob"], Scene.beginning(control: policy))
    if role != .guest { try scene.run(.setRole("bob", role, by: "ann")) }
    let isTaken = Self.allows(role, policy, .controlPlayback)
    let proposal = ProposedTiming(mediaTime: .seconds(50), rate: .normal)
    for item in ["a", "z"] as [ItemID] {
      try scene.run(.playback(.transition(to: item, proposing: proposal), by: "bob"))
      let timeline = try #require(scene.session.playback.timelines[item])
      #expect(timeline.position(at: scene.now) == (isTaken ? .seconds(50) : .zero))
    }
  }

  @Test(arguments: ControlPolicy.allCases, Role.allCases)
  func `while one who may steer has an item, no others' facts about it are believed`(
    _ policy: ControlPolicy, _ role: Role
  ) throws {
    var scene = try Scene.watching(["ann", "bob"], Scene.beginning(control: policy))
    if role != .guest { try scene.run(.setRole("bob", role, by: "ann")) }
    try scene.run(.playback(.transition(to: "a"), by: "ann"))
    let isBelieved = Self.allows(role, policy, .controlPlayback)
    for (item, isBelieved) in [("a", isBelieved), ("z", true)] as [(ItemID, Bool)] {
      let breaks = Interstitials([InterstitialRange(start: .zero, end: .seconds(100))])
      let window = SeekWindow(start: .zero, end: .zero, slides: false)
      let told = PlaybackCommand.transition(
        to: item, interstitials: try #require(breaks), seekWindow: window)
      var measured = scene
      try scene.run(.playback(told, by: "bob"))
      let live = try #require(scene.session.playback.timelines[item])
      #expect(live.interstitials.isEmpty != isBelieved)
      #expect((live.seekWindow != nil) == isBelieved)
      try measured.run(.playback(.transition(to: item), by: "bob"))
      let before = try #require(measured.session.playback.timelines[item])
      try measured.run(.playback(.ready(item, seq: before.seq, duration: .seconds(2)), by: "bob"))
      let after = try #require(measured.session.playback.timelines[item])
      #expect(after.duration == (isBelieved ? Duration.seconds(2) : nil))
    }
  }

  @Test func `a guest's other length is a doubt where hosts steer`() throws {
    var scene = try Scene.watching(["ann", "bob"], Scene.beginning(control: .hostsOnly))
    try scene.run(.playback(.transition(to: "a", duration: .seconds(60)), by: "ann"))
    let told = PlaybackCommand.transition(to: "a", duration: .seconds(9))
    let events = try scene.run(.playback(told, by: "bob"))
    #expect(events.contains(.playback(.durationDoubted("a", .seconds(9), by: "bob"))))
    #expect(scene.session.playback.timelines["a"]?.duration == .seconds(60))
  }

  @Test func `a guest's length of live content is a doubt where hosts steer`() throws {
    var scene = try Scene.watching(["ann", "bob"], Scene.beginning(control: .hostsOnly))
    let window = SeekWindow(start: .zero, end: .seconds(60), slides: false)
    try scene.run(.playback(.transition(to: "a", seekWindow: window), by: "ann"))
    let told = PlaybackCommand.transition(to: "a", duration: .seconds(9))
    let events = try scene.run(.playback(told, by: "bob"))
    #expect(events.contains(.playback(.durationDoubted("a", .seconds(9), by: "bob"))))
    #expect(scene.session.playback.timelines["a"]?.duration == nil)
  }

  @Test func `co-hosts ban no guest's device of a host, since that puts out the host`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.setRole("bob", .coHost, by: "ann"))
    try scene.join("ann", device: "ann-tv")
    try scene.run(.setRole("ann2", .guest, by: "ann"))
    #expect(
      scene.rejection(.remove("ann2", isBanned: true, by: "bob"))
        == .forbidden(.manageParticipants))
    #expect(scene.rejection(.remove("ann2", isBanned: false, by: "bob")) == nil)
  }

  @Test func `whoever is made a listener is one on each of their devices`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.join("bob", device: "bob-tv")
    try scene.run(.setRole("bob", .listener, by: "ann"))
    #expect(scene.session.participants["bob2"]?.role == .listener)
    #expect(try scene.run(.setRole("bob2", .guest, by: "ann")).count == 1)
    try scene.run(.leave("bob"))
    try scene.join("bob")
    #expect(scene.session.participants["bob"]?.role == .guest)
  }

  @Test func `a listener stays one, and others follow as hosts before one`() throws {
    var scene = try Scene.watching(["ann", "bob", "cat", "dan"])
    try scene.run(.setRole("bob", .listener, by: "ann"))
    try scene.run(.setRole("dan", .coHost, by: "ann"))
    try scene.run(.leave("bob"))
    try scene.join("bob")
    #expect(scene.session.participants["bob"]?.role == .listener)
    try scene.run(.leave("ann"))
    #expect(scene.session.participants["dan"]?.role == .host)
    try scene.run(.leave("dan"))
    #expect(scene.session.participants["cat"]?.role == .host)
    try scene.run(.leave("cat"))
    #expect(scene.session.participants["bob"]?.role == .host, "somebody has to be one")
  }

  @Test func `an initiator who was made a listener stays one`()
    throws
  {
    var scene = try Scene.watching(["ann", "bob"], Scene.beginning(control: .hostsOnly))
    try scene.run(.setRole("bob", .host, by: "ann"))
    try scene.run(.setRole("ann", .listener, by: "bob"))
    let ann = Identity(user: "ann", device: "ann", name: "Ann")
    try scene.run(.leave("ann"))
    #expect(!scene.session.mayBeEnded(by: ann))
    try scene.join("ann")
    #expect(scene.session.participants["ann"]?.role == .listener)
  }

  @Test(arguments: ControlPolicy.allCases)
  func `a keeper gives roles where it is no host, and does nothing else that a guest may not`(
    _ policy: ControlPolicy
  ) throws {
    var scene = try Scene.watching(["ann", "bob", "cat"], Scene.beginning(control: policy))
    let keeper = Identity(user: "server", device: "room", name: "Matinee", isKeeper: true)
    try scene.run(.join(Joiner(id: "keeper", identity: keeper)))
    #expect(scene.session.participants["keeper"]?.role == .guest)
    for (permission, verb) in Self.verbs("keeper") {
      if permission == .manageParticipants || permission == .removeParticipants
        || Self.allows(.guest, policy, permission)
      {
        if case .forbidden = scene.rejection(verb) { Issue.record("\(verb)") }
      } else {
        #expect(scene.rejection(verb) == permission.map { .forbidden($0) })
      }
    }
    try scene.run(.setRole("bob", .host, by: "keeper"))
    #expect(scene.session.participants["bob"]?.role == .host)
  }

  @Test func `until the initiator comes the first one stands in`() throws {
    var scene = try Scene.watching(["bob", "cat"])
    #expect(scene.session.participants["bob"]?.role == .host)
    try scene.run(.leave("bob"))
    #expect(scene.session.participants["cat"]?.role == .host)
    try scene.join("ann")
    #expect(scene.session.participants["cat"]?.role == .guest)
    #expect(scene.session.participants["ann"]?.role == .host)
  }

  @Test func `the initiator is host, a guest can be made one, and there is always one`() throws {
    var scene = try Scene.watching(["ann", "bob", "cat"])
    #expect(scene.session.participants["ann"]?.role == .host)
    #expect(scene.session.participants["bob"]?.role == .guest)
    try scene.run(.setRole("cat", .host, by: "ann"))
    try scene.run(.setRole("ann", .guest, by: "cat"))
    #expect(scene.rejection(.setControl(.hostsOnly, by: "ann")) == .forbidden(.manageParticipants))
    try scene.run(.leave("cat"))
    #expect(scene.session.participants["ann"]?.role == .host)
    #expect(scene.rejection(.setRole("nobody", .host, by: "ann")) == .unknownParticipant)
  }
}

import GroupSessions
import Naming
import Testing
import Vocabulary

/// The life of an invitation, row by row.
@Suite struct InvitationTests {
  /// Ann watches and has invited; the others are nowhere.
  static func scene(_ users: [UserID] = ["bob", "cat"], isOneDeviceEach: Bool = false) throws
    -> Scene
  {
    var beginning = Scene.beginning()
    beginning.oneDevicePerUser = isOneDeviceEach
    var scene = try Scene.watching(["ann"], beginning)
    try scene.run(.invite(users, by: "ann"))
    return scene
  }

  static func joiner(_ user: UserID, _ device: DeviceID, as id: ParticipantID) -> Joiner {
    Joiner(id: id, identity: Identity(user: user, device: device, name: user.text))
  }

  static func accept(_ user: UserID, _ device: DeviceID, as id: ParticipantID) -> SessionCommand {
    .answerInvitation(.accept(with: joiner(user, device, as: id)))
  }

  static func acceptForLater(_ user: UserID, _ device: DeviceID? = nil) -> SessionCommand {
    .answerInvitation(.acceptForLater(user, on: device))
  }

  static func decline(_ user: UserID, _ device: DeviceID? = nil) -> SessionCommand {
    .answerInvitation(.decline(user, on: device))
  }

  private func state(of user: UserID, in scene: Scene) -> Invitation.State? {
    scene.session.invitations[user]?.state
  }

  // MARK: Asking

  @Test func `everyone is asked once, but those who are here`() throws {
    var scene = try Scene.watching(["ann"])
    let expires = scene.now + scene.limits.invitationLifetime
    let events = try scene.run(.invite(["ann", "bob", "cat", "bob"], by: nil))
    #expect(events == [.invited(["bob", "cat"], expires: expires, by: nil)])
    #expect(
      scene.session.invitations["bob"]
        == Invitation(user: "bob", seq: scene.session.seq, expires: expires, inviter: nil))
    #expect(scene.session.nextDeadline == expires)
    #expect(try scene.run(.invite(["cat", "bob", "ann"], by: nil)).isEmpty)
    #expect(try scene.run(.invite(["bob"], by: "ann")).isEmpty, "the first one stands")
  }

  @Test func `a staged activity invites nobody before it can be joined`() throws {
    var scene = Scene(Scene.beginning(staged: true))
    #expect(scene.rejection(.invite(["bob"], by: nil)) == .notActivated)
    try scene.run(.activate(by: scene.session.initiator))
    #expect(try scene.run(.invite(["bob"], by: nil)).count == 1)
  }

  @Test func `who may steer may invite, and the person who did is remembered`() throws {
    for policy in ControlPolicy.allCases {
      var scene = try Scene.watching(["ann", "bob"], Scene.beginning(control: policy))
      guard policy == .everyone else {
        #expect(scene.rejection(.invite(["cat"], by: "bob")) == .forbidden(.invite))
        continue
      }
      try scene.run(.invite(["cat"], by: "bob"))
      #expect(scene.session.invitations["cat"]?.inviter == "bob")
    }
  }

  @Test func `an invitation stands as long as was said, and no longer than a day`() throws {
    var scene = try Scene.watching(["ann"])
    try scene.run(.invite(["bob"], lifetime: .seconds(60), by: "ann"))
    #expect(scene.session.invitations["bob"]?.expires == scene.now + .seconds(60))
    try scene.run(.invite(["cat"], lifetime: .seconds(1_000_000), by: "ann"))
    #expect(scene.session.invitations["cat"]?.expires == scene.now + .seconds(86_400))
    try scene.run(.invite(["dan"], lifetime: .seconds(-60), by: "ann"))
    #expect(scene.session.invitations["dan"]?.expires == scene.now)
    #expect(try scene.run(.clockAdvanced) == [.invitationsExpired(["dan"])])
  }

  @Test func `there is room for so many; whoever names more is told, the session takes the first`()
    throws
  {
    var scene = try Scene.watching(["ann"])
    scene.limits.invitations = 3
    try scene.run(.invite(["bob", "cat"], by: "ann"))
    #expect(
      scene.rejection(.invite(["dan", "eve"], by: "ann")) == .tooManyInvitations(limit: 3))
    try scene.run(.invite(["eve", "dan"], by: nil))
    #expect(scene.session.invitations.values.map(\.user) == ["bob", "cat", "eve"])
    _ = try scene.advance(scene.limits.invitationLifetime)
    try scene.run(.invite(["bob"], by: "ann"))
    #expect(state(of: "bob", in: scene) == .pending, "one asked anew takes no more room")
    #expect(try scene.run(.invite(["dan"], by: nil)).isEmpty)
  }

  @Test func `who is removed from the group is no longer invited`() throws {
    var scene = try Scene.watching(["ann"])
    try scene.run(.invite(["bob"], by: "ann"))
    #expect(try scene.run(.uninvite("bob")) == [.invitationsExpired(["bob"])])
    for user in ["ann", "bob", "cat"] as [UserID] {
      #expect(try scene.run(.uninvite(user)).isEmpty)
    }
  }

  // MARK: Answering

  // Proves: §7.14
  @Test func `the first answer wins, on whichever device`() throws {
    var scene = try Self.scene()
    let first = try scene.run(Self.accept("bob", "phone", as: "b1"))
    #expect(first.first == .invitationAnswered("bob", .accepted, on: "phone"))
    #expect(first.dropFirst().map(\.joiner) == ["b1"])
    #expect(try scene.run(Self.accept("bob", "tv", as: "b2")).isEmpty)
    #expect(scene.rejection(Self.decline("bob")) == .invitationOver(.accepted))
    #expect(scene.session.participants.keys.sorted() == ["ann", "b1"])
    #expect(scene.session.invitations["bob"]?.device == "phone")

    try scene.run(Self.decline("cat", "phone"))
    #expect(try scene.run(Self.decline("cat")).isEmpty)
    #expect(scene.rejection(Self.acceptForLater("cat")) == .invitationOver(.declined))
    #expect(scene.rejection(Self.accept("cat", "tv", as: "c")) == .invitationOver(.declined))
    #expect(scene.rejection(Self.decline("dan")) == .notInvited)
  }

  // Proves: §7.14
  @Test func `nothing is answered after the expiry, the revocation or the end`() throws {
    var scene = try Self.scene(["bob", "cat", "dan"])
    try scene.run(.revokeInvitations(["cat", "cat", "eve"], by: "ann"))
    #expect(state(of: "cat", in: scene) == .revoked)
    scene.now = scene.now + scene.limits.invitationLifetime
    #expect(scene.rejection(Self.accept("bob", "tv", as: "b")) == .invitationOver(.expired))
    #expect(scene.rejection(Self.decline("bob")) == .invitationOver(.expired))
    #expect(try scene.run(.clockAdvanced) == [.invitationsExpired(["bob", "dan"])])
    #expect(scene.session.nextDeadline == nil)
    for (user, state) in [("bob", .expired), ("cat", .revoked)] as [(UserID, Invitation.State)] {
      #expect(scene.rejection(Self.acceptForLater(user)) == .invitationOver(state))
      #expect(scene.rejection(Self.decline(user)) == .invitationOver(state))
    }
    try scene.run(.end(by: "ann"))
    #expect(scene.rejection(Self.decline("bob")) == .ended(.endedBy("ann")))
    #expect(scene.session.invitations.count == 0)
  }

  @Test func `who accepts where nothing can join is awaited, and joins once`() throws {
    var scene = try Self.scene()
    #expect(
      try scene.run(Self.acceptForLater("bob"))
        == [.invitationAnswered("bob", .accepted, on: nil)])
    #expect(scene.session.invitations["bob"]?.isAwaited(at: scene.now) == true)
    #expect(try scene.run(Self.accept("bob", "tv", as: "b1")).map(\.joiner) == ["b1"])
    #expect(scene.session.invitations["bob"]?.isAwaited(at: scene.now) == false)
    #expect(scene.session.invitations["bob"]?.device == nil, "that is where it was answered")
    try scene.run(.leave("b1"))
    #expect(try scene.run(Self.accept("bob", "tv", as: "b2")).isEmpty, "an old tap")
  }

  @Test func `nobody is awaited longer than the invitation stands`() throws {
    var scene = try Self.scene()
    try scene.run(Self.acceptForLater("bob"))
    #expect(try scene.advance(scene.limits.invitationLifetime) == [.invitationsExpired(["cat"])])
    #expect(scene.session.invitations["bob"]?.isAwaited(at: scene.now) == false)
    #expect(try scene.run(Self.accept("bob", "tv", as: "b1")).isEmpty)
    #expect(state(of: "bob", in: scene) == .accepted)
    try scene.run(.invite(["bob"], by: "ann"))
    #expect(state(of: "bob", in: scene) == .pending)
  }

  @Test func `whoever joins by an offer has accepted; an answer that stands is left alone`() throws
  {
    var scene = try Self.scene(["bob", "cat"])
    #expect(
      try scene.join("bob").first == .invitationAnswered("bob", .accepted, on: "bob-phone"))
    try scene.run(Self.decline("cat", "cat-phone"))
    #expect(scene.session.isDeclined(by: Identity(user: "cat", device: "tv", name: "")))
    #expect(!scene.session.isDeclined(by: Identity(user: "bob", device: "tv", name: "")))
    let joined = try scene.join("cat")
    #expect(joined.count == 1, "a person may change their mind by coming")
    #expect(state(of: "cat", in: scene) == .declined)
    #expect(!scene.session.isDeclined(by: Identity(user: "cat", device: "tv", name: "")))
    #expect(scene.rejection(Self.acceptForLater("cat")) == .invitationOver(.declined))
  }

  @Test func `an offer that one device declines is not the person's answer`() throws {
    var scene = try Self.scene()
    try scene.run(.decline("bob-phone"))
    #expect(state(of: "bob", in: scene) == .pending)
    #expect(scene.session.isDeclined(by: Identity(user: "bob", device: "bob-phone", name: "")))
    #expect(!scene.session.isDeclined(by: Identity(user: "bob", device: "tv", name: "")))
  }

  @Test func `what cannot join does not answer either`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.remove("bob", isBanned: true, by: "ann"))
    try scene.run(.invite(["bob", "cat"], by: "ann"))
    let before = scene.session
    #expect(scene.rejection(Self.accept("bob", "bob-phone", as: "b")) == .banned)
    #expect(scene.rejection(Self.acceptForLater("bob", "bob-phone")) == .banned)
    scene.limits.participants = 1
    #expect(scene.rejection(Self.accept("cat", "tv", as: "c")) == .full(limit: 1))
    #expect(scene.session == before)
    scene.limits.participants = 2
    let other = scene.rejection(Self.accept("bob", "tv", as: "b"))
    #expect(other == .banned, "a person is banned, not only a device")
  }

  @Test func `an answer to an earlier invitation is none to a later one`() throws {
    var scene = try Self.scene(["bob"])
    let first = try #require(scene.session.invitations["bob"]?.seq)
    _ = try scene.advance(scene.limits.invitationLifetime)
    try scene.run(.invite(["bob"], by: "ann"))
    let second = try #require(scene.session.invitations["bob"]?.seq)
    let late = SessionCommand.answerInvitation(.decline("bob", on: nil), seq: first)
    #expect(scene.rejection(late) == .staleInvitation(seq: second))
    try scene.run(.answerInvitation(.decline("bob", on: nil), seq: second))
    #expect(state(of: "bob", in: scene) == .declined)
  }

  // MARK: Asking again, and taking back

  @Test func `a no is a no until the person comes; others may be asked again by people`() throws {
    var scene = try Self.scene(["bob", "cat", "dan", "eve"])
    try scene.run(Self.decline("bob"))
    try scene.run(.revokeInvitations(["cat"], by: "ann"))
    try scene.run(Self.accept("dan", "tv", as: "d"))
    try scene.run(.leave("d"))
    try scene.run(Self.acceptForLater("eve"))
    #expect(try scene.run(.invite(["bob", "cat", "dan", "eve"], by: nil)).isEmpty)
    let expires = scene.now + scene.limits.invitationLifetime
    #expect(
      try scene.run(.invite(["bob", "cat", "dan", "eve"], by: "ann"))
        == [.invited(["cat", "dan"], expires: expires, by: "ann")])
    try scene.join("bob")
    try scene.run(.leave("bob"))
    #expect(try scene.run(.invite(["bob"], by: "ann")).count == 1)
  }

  @Test func `hosts take back any invitation, a guest their own person's`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.invite(["cat"], by: "ann"))
    try scene.run(.invite(["dan"], by: "bob"))
    try scene.run(.invite(["eve"], by: nil))
    for user in ["cat", "eve"] as [UserID] {
      #expect(
        scene.rejection(.revokeInvitations([user], by: "bob"))
          == .forbidden(.manageParticipants))
    }
    try scene.join("bob", device: "bob-tv")
    #expect(
      try scene.run(.revokeInvitations(["dan"], by: "bob2"))
        == [.invitationsRevoked(["dan"], by: "bob2")])
    #expect(try scene.run(.revokeInvitations(["dan"], by: "bob")).isEmpty)
    try scene.run(.revokeInvitations(["eve", "cat"], by: "ann"))
    #expect(scene.session.invitations.values.allSatisfy { $0.state == .revoked })
    #expect(scene.session.invitations.nextExpiry == nil)
  }

  @Test func `an answered invitation is not taken back`() throws {
    var scene = try Self.scene()
    try scene.run(Self.acceptForLater("bob"))
    try scene.run(Self.decline("cat"))
    #expect(try scene.run(.revokeInvitations(["bob", "cat"], by: "ann")).isEmpty)
  }

  @Test func `where each has one device, the next takes the place of the one that accepted`() throws
  {
    var scene = try Self.scene(isOneDeviceEach: true)
    try scene.run(Self.accept("bob", "phone", as: "b1"))
    #expect(try scene.run(Self.accept("bob", "tv", as: "b2")).isEmpty)
    try scene.run(.join(Self.joiner("bob", "tv", as: "b2")))
    #expect(scene.session.participants.keys.sorted() == ["ann", "b2"])
  }
}

extension SessionEvent {
  /// Who joined, if somebody did.
  var joiner: ParticipantID? {
    if case .joined(let participant) = self { participant.id } else { nil }
  }
}

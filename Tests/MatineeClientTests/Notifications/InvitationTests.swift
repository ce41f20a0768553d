import Coordination
import EventLoops
import LoopTesting
import MatineeClient
import Signatures
import Testing
import Vocabulary

/// Invitations as apps get and answer them, against a real server.
@Suite(.serialized, .hangLimit) struct InvitationTests {
  /// Ann, and Bob with two devices, all of them registered, and Ann begins to watch.
  private func with(
    _ names: [String] = ["Ann", "Bob/tv", "Bob/phone"],
    _ body: (Gathering, GroupSession<Film>) async throws -> Void
  ) async throws {
    var notifications = NotificationSettings()
    var numbers = SystemRandomNumberGenerator()
    notifications.signer = InvitationSigner(key: InvitationKey(using: &numbers))
    try await Gathering.with(names, notifications: notifications) { room in
      for client in room.clients { try await client.notifications.register() }
      for client in room.clients { client.notifications.phase = .background }
      _ = try await Film(title: "Metropolis").activate(on: room.ann)
      let session = try await room.ann.next()
      try await session.join()
      try await body(room, session)
    }
  }

  // Proves: K1, K10, K22
  @Test func `whoever starts is not asked, everyone else is, and ACCEPT takes part`() async throws {
    try await with { room, session in
      let bell = Doorbell()
      let bob = room.bob.notifications
      bob.install(bell)
      let invitation = try #require(await bob.invitation())
      #expect(invitation.details.session == session.id)
      #expect(invitation.details.title == "Metropolis")
      bob.act(invitation.id, ActionIdentifier.accept)
      await session.activeParticipants.becomes { $0.count == 2 }
      let joined = try await room.bob.next()
      await joined.state.becomes { $0 == .joined }
      await bob.delivered.becomes { $0.isEmpty }
      await bell.waits { $0.hasPrefix("U ") }
      let response = try #require(bell.responses.first)
      #expect(response.invitationAnswer == .accept && bell.responses.count == 1)
      #expect(room.ann.notifications.delivered.current.isEmpty)
      // The first answer counts for all of his devices.
      await room.clients[2].notifications.delivered.becomes { $0.isEmpty }
    }
  }

  @Test func `buttons of an app's own answer, and the second ACCEPT finds the first`()
    async throws
  {
    try await with { room, session in
      let (tv, phone) = (room.bob.notifications, room.clients[2].notifications)
      let first = try #require(await tv.invitation())
      let second = try #require(await phone.invitation())
      #expect(try await first.accept() == .joined)
      #expect(try await second.accept() == .alreadyAccepted)
      let refused = await refusal { () throws(GroupWatchError) in try await second.decline() }
      #expect(refused != nil)
      await tv.delivered.becomes { $0.isEmpty }
      await session.activeParticipants.becomes { $0.count == 2 }
    }
  }

  // Proves: K13, K24
  @Test func `a text and a dismissal leave it open, for later`() async throws {
    try await with { room, session in
      let bob = room.bob.notifications
      let bell = Doorbell()
      bob.install(bell)
      let invitation = try #require(await bob.invitation())
      try await invitation.reply("Be right there")
      bob.dismiss(invitation.id)
      await bob.delivered.becomes { $0.isEmpty }
      await bell.waits { $0.hasSuffix("dismissal") }
      // Put away on this device, it stands for the person still.
      #expect(try await bob.list().map(\.id) == [invitation.id])
      #expect(room.clients[2].notifications.delivered.current.map(\.id) == [invitation.id])
      let again = try #require(try await bob.list().compactMap(bob.invitation).first)
      try await again.decline()
      await room.clients[2].notifications.delivered.becomes { $0.isEmpty }
      #expect(try await bob.list().isEmpty)
      #expect(session.activeParticipants.current.count == 1)
    }
  }

  @Test func `the end of the session takes back what nobody answered`() async throws {
    try await with { room, session in
      let invitation = try #require(await room.bob.notifications.invitation())
      try await session.end()
      await room.bob.notifications.delivered.becomes { $0.isEmpty }
      let refused = await refusal { () throws(GroupWatchError) in try await invitation.accept() }
      #expect(refused != nil)
    }
  }

  @Test func `whoever accepts where they cannot take part does so once they can`() async throws {
    try await with(["Ann", "Bob"]) { room, session in
      let bob = room.bob
      let invitation = try #require(await bob.notifications.invitation())
      try await bob.leaveGroup()
      #expect(try await invitation.accept() == .awaited)
      try await bob.joinGroup(GroupID("room"))
      await session.activeParticipants.becomes { $0.count == 2 }
      let joined = try await bob.next()
      await joined.state.becomes { $0 == .joined }
    }
  }

  @Test func `whose app does not run answers with the token that the notification has`()
    async throws
  {
    try await with(["Ann", "Bob"]) { room, session in
      let (bob, endpoint) = (room.bob, room.server.endpoint)
      let details = try #require(await bob.notifications.invitation()).details
      try await bob.leaveGroup()
      try await details.accept(at: endpoint, within: .seconds(600))
      let code = await refusal { () throws(GroupWatchError) in
        try await details.decline(at: endpoint, within: .seconds(600))
      }
      #expect(code == .invitationAnswered)
      try await bob.joinGroup(GroupID("room"))
      await session.activeParticipants.becomes { $0.count == 2 }
      let joined = try await bob.next()
      await joined.state.becomes { $0 == .joined }
    }
  }

  @Test func `a token that is missing or forged, and a server that is away, are told`()
    async throws
  {
    try await with(["Ann", "Bob"]) { room, session in
      var details = try #require(await room.bob.notifications.invitation()).details
      let nobody = try #require(Endpoint("127.0.0.1:1"))
      let late = await refusal { [details] () throws(GroupWatchError) in
        try await details.accept(at: nobody)
      }
      #expect(late == .timedOut)
      for token in [nil, "x"] {
        details.token = token
        let code = await refusal { [details] () throws(GroupWatchError) in
          try await details.decline(at: room.server.endpoint, within: .seconds(600))
        }
        #expect(code == .invalidToken)
      }
      #expect(session.activeParticipants.current.count == 1)
    }
  }

  @Test func `a server that says nothing is waited for as long as wanted`() async throws {
    let silence = try LoopThread { (loop) throws(UVError) in try Silence(on: loop) }
    defer {
      silence.stop()
      silence.join()
    }
    let address = await withCheckedContinuation { continuation in
      silence.mailbox.post { continuation.resume(returning: $0.address) }
    }
    let endpoint = try #require(Endpoint(address))
    try await with(["Ann", "Bob"]) { room, _ in
      let details = try #require(await room.bob.notifications.invitation()).details
      let begun = ContinuousClock.now
      let late = await refusal { () throws(GroupWatchError) in
        try await details.accept(at: endpoint, within: .milliseconds(200))
      }
      #expect(late == .timedOut)
      #expect(ContinuousClock.now - begun >= .milliseconds(200))
      let answer = Task {
        await refusal { () throws(GroupWatchError) in
          try await details.accept(at: endpoint, within: .seconds(3600))
        }
      }
      await withCheckedContinuation { continuation in
        silence.mailbox.post { $0.onSecond { continuation.resume() } }
      }
      answer.cancel()
      #expect(await answer.value == .cancelled)
    }
  }

  @Test func `a host invites again whom nobody invited, and takes it back`() async throws {
    try await with(["Ann", "Bob"]) { room, session in
      let server = room.server
      let cid = try await Gathering.connect("Cid", to: server)
      defer { cid.close() }
      cid.notifications.phase = .background
      try await cid.notifications.register()
      try await session.invite([UserID("u-Cid")], for: .seconds(600))
      let invitation = try #require(await cid.notifications.invitation())
      #expect(invitation.details.session == session.id)
      try await session.revokeInvitations(of: [UserID("u-Cid")])
      await cid.notifications.delivered.becomes { $0.isEmpty }
    }
  }
}

/// A server that takes connections and says nothing.
private final class Silence {
  private let acceptor = Acceptor()
  private let listener: TCPListener

  init(on loop: EventLoop) throws(UVError) {
    do throws(EndpointError) {
      listener = try TCPListener(host: "127.0.0.1", port: 0, on: loop, delegate: acceptor)
    } catch {
      guard case .system(let cause) = error.cause else { preconditionFailure("\(error)") }
      throw cause
    }
  }

  /// Where it listens.
  var address: String { listener.localEndpoint }

  /// Calls back once two have connected.
  func onSecond(_ body: @escaping () -> Void) {
    guard acceptor.streams.count < 2 else { return body() }
    acceptor.onStream = { [unowned self] _ in if acceptor.streams.count == 2 { body() } }
  }
}

@available(*, unavailable)
extension Silence: Sendable {}

import GroupSessions
import Participation
import Testing
import UserNotifications
import Vocabulary
import Wire

/// Invitations that are accepted, and how a device comes to take part.
@Suite struct AcceptanceTests {
  private let me = ParticipantID("p2")

  private var session: GroupSession {
    let activity = GroupActivity(
      type: "watch", payload: JSONText(validated: "{}"),
      metadata: GroupActivityMetadata(title: "Sintel"), media: nil)
    var session = GroupSession(
      id: SessionID("s1"),
      SessionBeginning(
        group: GroupID("friday"), activity: activity,
        initiator: Initiator(user: UserID("ben"), device: DeviceID("d"), name: "Ben"),
        joinBy: Instant(microseconds: 0)))
    session.evolve(
      .joined(
        GroupSessions.Participant(
          id: me, user: UserID("ann"), device: DeviceID("tv"), name: "Ann", role: .guest,
          joinedAt: Instant(microseconds: 1))),
      at: Instant(microseconds: 1))
    return session
  }

  private var snapshot: ServerMessage {
    .snapshot(SessionSnapshot(session: session, participant: me, at: Instant(microseconds: 1)))
  }

  private var joined: Answer { .joined(session.id, me) }

  /// A client that tapped ACCEPT, and was heard.
  private func desk(isOffered: Bool) -> Desk {
    var desk = Desk()
    desk.center(.phase(.background))
    desk.notify("n1")
    desk.answer()
    if isOffered { desk.hear(.offer(Offer(session))) }
    desk.center(.acted(NotificationID("n1"), action: ActionIdentifier.accept))
    return desk
  }

  private func changes(_ desk: inout Desk) -> [String] {
    desk.take().compactMap {
      switch $0 {
      case .session(_, .waiting): "waiting"
      case .session(_, .joined): "joined"
      case .session(_, .invalidated(let reason)): "over: \(reason)"
      default: nil
      }
    }
  }

  // Proves: K10, K11
  @Test(arguments: [true, false], [true, false])
  func `whoever accepts in a notification takes part, whatever comes first`(
    isOffered: Bool, isAnswerFirst: Bool
  ) {
    var desk = desk(isOffered: isOffered)
    if isAnswerFirst { desk.answer(joined) }
    desk.hear(snapshot)
    if !isAnswerFirst { desk.answer(joined) }
    #expect(desk.participant.session?.id == session.id)
    #expect(desk.participant.participantID == me)
    #expect(changes(&desk) == ["waiting", "joined"])
    desk.pass(.seconds(3))
    #expect(changes(&desk) == [])
  }

  @Test func `a cut between accepting and taking part loses neither`() {
    var desk = desk(isOffered: true)
    desk.reconnect()
    #expect(desk.open.count == 1)
    desk.hear(snapshot)
    desk.answer(joined)
    #expect(desk.participant.session?.id == session.id)
  }

  @Test func `where it cannot take part nothing changes`() {
    var desk = desk(isOffered: true)
    desk.answer()
    desk.hear(snapshot)
    #expect(desk.participant.session == nil)
    #expect(changes(&desk) == ["waiting"])
  }

  @Test func `a snapshot that nobody accepted is none of its business`() {
    var desk = Desk()
    desk.hear(snapshot)
    #expect(desk.participant.session == nil)
  }

  @Test func `an offer that awaits this device is taken by itself, once`() {
    var desk = Desk()
    let offer = Offer(session, isAwaited: true)
    desk.hear(.offer(offer))
    let accept = Request.answerInvitation(session.id, .accepted, seq: nil)
    #expect(desk.asked.map(\.request) == [accept])
    var again = offer
    again.revision += 1
    desk.hear(.offer(again))
    #expect(desk.asked.count == 1)
    desk.answer(joined)
    desk.hear(snapshot)
    #expect(desk.participant.session?.id == session.id)
    #expect(changes(&desk) == ["waiting", "waiting", "joined"])
  }

  @Test func `one that is refused leaves the offer waiting`() {
    var desk = Desk()
    desk.hear(.offer(Offer(session, isAwaited: true)))
    desk.refuse(.notEligible)
    #expect(desk.participant.offer?.session == session.id)
    #expect(changes(&desk) == ["waiting"])
  }

  @Test func `whoever leaves before the session has come has left`() {
    var desk = desk(isOffered: true)
    desk.answer(joined)
    desk.feed(.ask(.leave(nil), 9))
    #expect(desk.asked.map(\.request) == [.leave(session.id)])
    desk.hear(snapshot)
    #expect(desk.participant.session == nil)
  }

  @Test func `a device that leaves while it joins gives up the join, and no other request`() {
    var desk = Desk()
    desk.hear(.offer(Offer(session)))
    desk.feed(.ask(.join(session.id, handoffFrom: nil), 7))
    desk.feed(.ask(.status(), 8))
    desk.feed(.ask(.leave(nil), 9))
    let settled = desk.take().compactMap { if case .outcome(let tag, _) = $0 { tag } else { nil } }
    #expect(settled == [7, 9])
  }

  @Test func `a session that never comes is left`() {
    var desk = desk(isOffered: true)
    desk.answer(joined)
    for _ in 0..<3 {
      desk.pass(.seconds(4))
      desk.hear(
        .pong(Pong(sent: desk.now, heard: desk.serverInstant, answered: desk.serverInstant)))
    }
    #expect(desk.asked.map(\.request).contains(.leave(session.id)))
    let reason = Client.InvalidationReason.joinFailed(.timedOut)
    #expect(changes(&desk) == ["waiting", "over: \(reason)"])
  }
}

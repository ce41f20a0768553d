import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import matinee

/// Who is there, as people are shown it.
@Suite struct PeopleTextTests {
  private static let keeper = Identity(
    user: "syncplay:keeper", device: "syncplay:room/friday", name: "Matinee", isKeeper: true)

  /// A group with a keeper, Ann and Ben, and its session, in which all take part; Ben is ready.
  private func report() -> StatusReport {
    var group = Group(id: "friday", founder: "syncplay:keeper")
    var session = GroupSession(id: "s", Evening.beginning)
    let people = [("p-k", Self.keeper), ("p-a", Evening.ann), ("p-b", Evening.ben)]
    for (id, identity) in people {
      group.evolve(.memberJoined(Member(identity: identity)))
      session.evolve(
        .joined(
          Participant(
            id: ParticipantID(id), identity: identity, role: .guest, joinedAt: Evening.began)),
        at: Evening.began)
    }
    group.evolve(.sessionStarted("s", by: Self.keeper.device))
    session.evolve(.readinessSet("p-b", true, by: "p-b"), at: Evening.began)
    return StatusReport(
      at: Evening.began, peers: 3, groups: [group], sessions: [session], places: [])
  }

  @Test func `a status counts and lists people, and no keepers`() {
    let text = report().text(of: "here")
    #expect(text.contains("group friday: 2 members, 2 connected"))
    #expect(!text.contains("Matinee"))
    #expect(text.contains("Ann") && text.contains("Ben"))
  }

  @Test func `a status says what is in the way, if anything is`() {
    var report = report()
    #expect(report.text(of: "here").hasPrefix("here: 3 connections, 1 group\n\n"))
    report.obstacle = "The journal is full."
    let text = report.text(of: "here")
    #expect(text.hasPrefix("here: 3 connections, 1 group\nThe journal is full.\n\n"))
  }

  @Test func `a status knows its members and names, and may know others if it has more`() {
    var report = report()
    report.names = [.init("zoe", isConnected: false, isHeld: true)]
    let users: [UserID] = [Evening.ann.user, "zoe", "zo"]
    #expect(users.map { report.mayKnow($0) } == [true, true, false])
    report.hasMoreNames = true
    #expect(report.mayKnow("zo"))
  }

  @Test func `a status says how many watch besides, if anybody does`() {
    var report = report()
    #expect(!report.text(of: "here").contains("besides"))
    report.audiences = [.init("s", AudienceSize(count: 12, slow: 2))]
    #expect(report.text(of: "here").contains("watching besides: 12, 2 slow"))
  }

  @Test func `whose clock is poor, by their round trip, is marked`() {
    var report = report()
    report.places = [
      .init(participant: "p-a", offset: .zero, roundTrip: .milliseconds(500)),
      .init(participant: "p-b", offset: .zero, roundTrip: .milliseconds(501)),
    ]
    let lines = report.text(of: "here").split(separator: "\n")
    #expect(lines.filter { $0.contains("poor clock") }.map { $0.contains("Ben") } == [true])
  }

  @Test func `who said that they are ready, or not, is shown so`() throws {
    var session = try #require(report().sessions.first)
    #expect(session.stateText(of: "p-a", at: nil) == "loading")
    #expect(session.stateText(of: "p-b", at: nil) == "loading, ready")
    session.evolve(.readinessSet("p-b", false, by: "p-a"), at: Evening.began)
    #expect(session.stateText(of: "p-b", at: nil) == "loading, not ready")
  }
}

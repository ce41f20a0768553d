import EventLoops
import FolderTesting
import GroupSessions
import LoopTesting
import MatineeClient
import Participation
import Playback
import Players
import ProgramTesting
import Testing
import UserNotifications
import Vocabulary
import Wire

/// Notifications and invitations across a crash of the real server.
@Suite struct NotificationCrashTests {
  private func kill(_ server: Program, _ people: [Invitee], on test: TestLoop) throws {
    server.kill(.kill)
    try test.run { server.hasEnded && people.allSatisfy { !$0.value.isOnline } }
  }

  /// Ann, who is watching, and Ben, who is invited and has not answered.
  private func invite(_ port: UInt16, on test: TestLoop) throws -> (ann: Invitee, ben: Invitee) {
    let clients = ClientLoop(on: test.loop)
    let (ann, ben) = (Invitee("Ann", at: port, on: clients), Invitee("Ben", at: port, on: clients))
    for person in [ann, ben] {
      person.participant.ask(.notifications(.register()), tag: 1)
      person.participant.ask(.joinGroup(GroupID("room")), tag: 2)
    }
    try test.run { [ann, ben].allSatisfy { $0.value.eligibility == .eligible } }
    try test.run { [ann, ben].allSatisfy { $0.outcomes(1).count == 1 } }
    let activity = GroupSessions.GroupActivity(
      type: "watch", payload: JSONText(validated: "null"),
      metadata: GroupActivityMetadata(title: "Film"), media: nil)
    ann.participant.ask(.activate(Activation(activity)), tag: 3)
    try test.run { ann.value.offer != nil }
    guard let id = ann.value.offer?.session else { return (ann, ben) }
    ann.participant.ask(.join(id, handoffFrom: nil), tag: 4)
    try test.run { ann.value.session != nil && ben.shown.count == 1 }
    return (ann, ben)
  }

  // Proves: K1, K19
  @Test func `what a person answered while the server was dead counts, and is shown once`() throws {
    try TestLoop.run { test in
      let directory = try ScratchFolder()
      let options = ["--journal", directory.journal]
      let (server, port) = try Program.serve(options, on: test)
      let (ann, ben) = try invite(port, on: test)
      defer { for person in [ann, ben] { person.participant.close() } }
      let id = try #require(ben.value.center.standingNotifications.first?.id)
      try kill(server, [ann, ben], on: test)
      ben.participant.take(.center(.acted(id, action: ActionIdentifier.accept)))
      let (second, _) = try Program.serve(options, port: port, on: test)
      try test.run {
        ben.value.session != nil && ann.value.session?.participants.count == 2
          && ann.value.session?.lost.isEmpty == true
      }
      #expect(ben.shown == [id] && ben.value.center.standingNotifications.isEmpty)
      #expect(ben.lost == 0 && second.ending == nil)
    }
  }

  @Test func `what stood stands, once, and can still be answered`() throws {
    try TestLoop.run { test in
      let directory = try ScratchFolder()
      let options = ["--journal", directory.journal]
      let (server, port) = try Program.serve(options, on: test)
      let (ann, ben) = try invite(port, on: test)
      defer { for person in [ann, ben] { person.participant.close() } }
      let id = try #require(ben.value.center.standingNotifications.first?.id)
      try kill(server, [ann, ben], on: test)
      let (second, _) = try Program.serve(options, port: port, on: test)
      try test.run { [ann, ben].allSatisfy { $0.value.isOnline } }
      // The list arrives before this answer.
      ben.participant.ask(.notifications(.list), tag: 9)
      try test.run { ben.outcomes(9).count == 1 }
      #expect(ben.value.center.standingNotifications.map(\.id) == [id])
      #expect(ben.shown == [id])
      ben.participant.take(.center(.acted(id, action: ActionIdentifier.decline)))
      try test.run {
        ann.value.session?.invitations[UserID("u-Ben")]?.state == .declined
      }
      #expect(ben.value.center.standingNotifications.isEmpty)
      #expect(ann.value.session?.participants.count == 1 && second.ending == nil)
    }
  }
}

/// A person whose notifications are shown, and the record of them.
private final class Invitee: LoopParticipantDelegate {
  private(set) var updates: [Client.Update] = []
  private var made: LoopParticipant?

  init(_ name: String, at port: UInt16, on clients: ClientLoop) {
    var settings = ClientSettings(
      user: UserID("u-" + name), device: DeviceID("d-" + name), name: name)
    (settings.hasPlayer, settings.attendsWithoutPlayer) = (false, true)
    made = LoopParticipant(
      settings, at: Endpoint(host: "127.0.0.1", port: port), on: clients,
      seed: UInt64(name.utf8.first ?? 0), delegate: self)
    participant.take(.center(.categories([.groupWatchInvite()])))
    participant.take(.center(.phase(.background)))
    participant.start()
  }

  var participant: LoopParticipant {
    guard let made else { preconditionFailure("it is made with its person") }
    return made
  }

  var value: Client { participant.value }

  /// The notifications shown as new, in order.
  var shown: [NotificationID] {
    updates.compactMap {
      guard case .center(.show(let shown)) = $0, shown.options.contains(.banner) else { return nil }
      return shown.notification.id
    }
  }

  /// How often a report to the server was lost.
  var lost: Int { updates.count { if case .reportLost = $0 { true } else { false } } }

  func outcomes(_ tag: Int) -> [Client.Outcome] {
    updates.compactMap { if case .outcome(tag, let outcome) = $0 { outcome } else { nil } }
  }

  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update
  ) {
    updates.append(update)
  }

  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason) {}
}

@available(*, unavailable)
extension Invitee: Sendable {}

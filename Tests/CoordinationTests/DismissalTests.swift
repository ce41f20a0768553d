import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A dismissal on its way through the server: who hears what, and what a repeat comes to.
@Suite struct DismissalTests {
  private func activation(_ policy: DismissalPolicy? = nil) -> Activation {
    Activation(Stage.movie(), dismissalPolicy: policy)
  }

  @Test func `the initiator's dismissal ends it for all, with the one who did it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let ann = try #require(stage["ann"].participant)
    stage.forget()
    #expect(try stage.ask("ann", .dismiss(nil)) != .done(seq: nil))
    for device in ["ann", "bob"] as [DeviceID] {
      #expect(stage.events(device) == [.ended(.dismissedBy(ann))])
    }
    #expect(
      stage.session(id) == nil && stage.coordinator.groups.rooms.groups["g"]?.group?.session == nil)
    #expect(try stage.refusal("bob", .join(id, handoffFrom: nil)).reason == "dismissedBy")
  }

  @Test func `a guest's dismissal is a leaving, heard by both, and not offered again by itself`()
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let bob = try #require(stage["bob"].participant)
    stage.forget()
    try stage.ask("bob", .dismiss(id))
    for device in ["ann", "bob"] as [DeviceID] {
      #expect(stage.events(device) == [.left(bob, .dismissed)])
    }
    #expect(stage.session(id)?.participants.count == 1)
    try stage.ask("ann", .setActivity(nil, Stage.movie("next"), ifRevision: nil))
    #expect(stage.offers("bob").isEmpty)
    stage.checkMirrors()
  }

  @Test func `a repeat is answered, whatever became of the session`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    try stage.ask("bob", .dismiss(nil))
    let seq = stage.session(id)?.seq
    for named in [nil, id] {
      #expect(try stage.ask("bob", .dismiss(named)) == .done(seq: nil))
    }
    #expect(stage.session(id)?.seq == seq)
    try stage.ask("ann", .dismiss(nil))
    for device in ["ann", "bob", "cat"] as [DeviceID] {
      #expect(try stage.ask(device, .dismiss(id)) == .done(seq: nil))
    }
    #expect(try stage.refusal("ann", .dismiss("nowhere")).code == .unknownSession)
  }

  @Test func `of dismissals at the same moment one ends it, and all are answered`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"], activation(.endsForEveryone))
    stage.forget()
    stage.isHeld = true
    let devices: [DeviceID] = ["bob", "ann", "cat", "bob"]
    let requests = devices.map { ($0, stage.post(.dismiss($0 == "cat" ? nil : id), from: $0)) }
    stage.isHeld = false
    stage.release()
    for (device, request) in requests {
      let answers = try #require(stage[device].answers[request])
      #expect(answers.count == 1)
      if case .failure(let error)? = answers.first { Issue.record("\(device): \(error)") }
    }
    #expect(stage.events("ann").count == 1 && stage.session(id) == nil)
  }

  @Test func `a journal that cannot be written leaves nothing half dismissed`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.journal.failures = 1
    #expect(try stage.refusal("ann", .dismiss(nil)).code == .journalUnavailable)
    #expect(stage.session(id)?.participants.count == 2)
    stage.advance(Limits().journalRetry)
    try stage.ask("ann", .dismiss(nil))
    #expect(stage.session(id) == nil)
  }

  @Test func `a dismissal too late keeps no ended session alive, whatever the journal does`() throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"], activation(.endsForEveryone))
    stage.isHeld = true
    stage.post(.dismiss(nil), from: "ann")
    let late = stage.post(.dismiss(nil), from: "bob")
    stage.release(1)
    #expect(stage.coordinator.groups.rooms.sessions[id] == nil)
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    guard case .failure(let error)? = stage["bob"].answers[late]?.first else {
      Issue.record("it was not asked to repeat")
      return
    }
    #expect(error.code == .journalUnavailable)
    stage.say(.request(late, .dismiss(nil)), from: "bob")
    #expect(stage["bob"].answers[late]?.last == .success(.done(seq: nil)))
  }

  @Test func `one who dismisses while joining is in and out again`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.gather(["cat"])
    stage.isHeld = true
    let join = stage.post(.join(id, handoffFrom: nil), from: "cat")
    let dismissal = stage.post(.dismiss(id), from: "cat")
    stage.isHeld = false
    stage.release()
    for request in [join, dismissal] {
      #expect(stage["cat"].answers[request]?.count == 1)
    }
    #expect(stage.session(id)?.participants.count == 2)
    #expect(stage.coordinator.groups.seats["cat"]?.session == nil)
    stage.checkMirrors()
  }

  @Test func `a person's other device ends it as well, and who is cut off dismisses nothing`()
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.connect(as: "tv", user: "ann")
    try stage.ask("tv", .joinGroup("g"))
    try stage.join("tv", id)
    stage.disconnect("ann")
    stage.advance(Limits().resumeGrace)
    #expect(stage.session(id)?.state == .open)
    let tv = try #require(stage["tv"].participant)
    try stage.ask("tv", .dismiss(nil))
    #expect(stage.events("bob").last == .ended(.dismissedBy(tv)))
  }

  // MARK: Whose word counts

  @Test(arguments: DismissalPolicy.allCases)
  func `the server's word counts where the initiator gave none`(policy: DismissalPolicy) throws {
    for said in DismissalPolicy.allCases.map(Optional.some) + [nil] {
      var stage = Stage(dismissalPolicy: policy)
      try stage.gather(["ann", "bob"])
      let id = try stage.activate("ann", activation(said))
      #expect(stage.session(id)?.dismissalPolicy == said ?? policy)
    }
  }

  @Test func `a staged activity keeps the word of whoever staged it`() throws {
    var stage = Stage(dismissalPolicy: .endsForEveryone)
    try stage.gather(["ann", "bob"])
    let staged = try stage.ask("ann", .stage(activation(.leavesOnly)))
    guard case .activated(let id, _, _) = staged else { throw ProtocolError(.busy) }
    try stage.ask("bob", .activateStaged(id))
    #expect(stage.session(id)?.dismissalPolicy == .leavesOnly)
  }

  @Test func `hosts change it, everyone hears so, and it holds`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let ann = try #require(stage["ann"].participant)
    let error = try stage.refusal("bob", .setDismissalPolicy(nil, .leavesOnly))
    #expect(error == ProtocolError(.forbidden, reason: Permission.manageParticipants.rawValue))
    stage.forget()
    try stage.ask("ann", .setDismissalPolicy(nil, .leavesOnly))
    #expect(try stage.ask("ann", .setDismissalPolicy(id, .leavesOnly)) == .done(seq: nil))
    #expect(stage.events("bob") == [.dismissalPolicySet(.leavesOnly, by: ann)])
    stage.checkMirrors()
    try stage.ask("ann", .dismiss(nil))
    #expect(stage.session(id)?.state == .open)
  }

  @Test func `a restart with another default changes no session that is there`() throws {
    var stage = Stage(dismissalPolicy: .leavesOnly)
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    for device in ["ann", "bob"] as [DeviceID] { try stage.join(device, id) }
    stage.crash(dismissalPolicy: .endsForEveryone)
    for device in ["ann", "bob"] as [DeviceID] { stage.resume(device) }
    #expect(stage.session(id)?.dismissalPolicy == .leavesOnly)
    try stage.ask("ann", .dismiss(nil))
    #expect(stage.session(id)?.state == .open)
    try stage.ask("bob", .dismiss(nil))
    let next = try stage.activate("ann")
    #expect(stage.session(next)?.dismissalPolicy == .endsForEveryone)
  }

  @Test func `a dismissal that was answered is not done again after a crash`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let first = stage.post(.dismiss(nil), from: "bob")
    let second = stage.post(.dismiss(id), from: "bob")
    let answers = stage["bob"].answers
    stage.crash()
    for device in ["ann", "bob"] as [DeviceID] { stage.resume(device) }
    let seq = stage.session(id)?.seq
    for request in [first, second] {
      stage.say(.request(request, .dismiss(nil)), from: "bob")
      #expect(stage["bob"].answers[request] == answers[request])
    }
    #expect(stage.session(id)?.seq == seq)
  }
}

import Coordination
import GroupSessions
import Playback
import Testing
import Wire

@Suite struct RandomScriptTests {
  /// Every invariant of the model, over stories nobody would think of; a failure names its seed.
  @Test(arguments: 1...200)
  func `whatever happens, the invariants hold`(_ seed: Int) {
    var script = RandomScript(seed: UInt64(seed))
    for step in 0..<300 {
      script.step()
      script.check()
      if step % 25 == 0 { script.checkReplay() }
    }
    script.finish()
  }

  /// A story in which nothing happens proves nothing.
  @Test func `the stories visit every kind of event`() {
    var kinds: Set<String> = []
    var refusals: Set<ErrorCode> = []
    for seed in 1...60 {
      var script = RandomScript(seed: UInt64(seed))
      for _ in 0..<300 { script.step() }
      for record in script.stage.journal.streams.values.joined() { kinds.insert(record.kind) }
      for answer in script.stage.clients.values.flatMap(\.answers.values).joined() {
        if case .failure(let error) = answer { refusals.insert(error.code) }
      }
    }
    #expect(
      kinds.isSuperset(of: [
        "activated", "activitySet", "began", "controlSet", "declined", "dismissalPolicySet",
        "durationLearned",
        "durationDoubted",
        "interstitialsDeclared", "seekWindowSet", "timelineUnattended", "ended",
        "finished", "itemAdvanced", "itemSelected", "joined", "left", "lost", "messageSent",
        "readied", "readinessSet", "resumed", "roleSet",
        "suspensionBegan", "suspensionEnded", "timelineDropped",
        "timelineSet", "waitingPolicySet", "cleared", "inserted", "moved", "removed", "repeatSet",
        "selected", "shuffled", "unshuffled", "autoAdvanceSet", "memberJoined", "memberLeft",
        "interrupted", "memberLost", "memberResumed", "sharingSet", "preferredDeviceSet",
        "sessionStarted",
        "sessionEnded", "opened",
        "closed", "attachmentAdded", "attachmentRemoved", "added", "discarded",
        "invited", "invitationAnswered", "invitationsRevoked", "invitationsExpired",
      ]), "\(kinds.sorted())")
    #expect(refusals.count > 20, "\(refusals)")
  }
}

extension RecordedEvent {
  /// The name of the event's innermost case.
  fileprivate var kind: String {
    func name(_ value: Any) -> String {
      let text = "\(value)"
      return String(text.prefix { $0 != "(" })
    }
    switch event {
    case .group(let event): return name(event)
    case .session(.playback(let event)): return name(event)
    case .session(.queue(let event, _)): return name(event)
    case .session(let event): return name(event)
    case .device(let event): return name(event)
    case .user(let event): return name(event)
    case .tray(let event): return name(event)
    case .name(let event): return name(event)
    // Its description would have all its bytes.
    case .attachment(.added): return "added"
    case .attachment(let event): return name(event)
    }
  }
}

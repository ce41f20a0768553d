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

  /// What happens in stories, the events of groups, sessions and attachments.
  private static let wanted: Set<String> = [
    "activated", "activitySet", "began", "controlSet", "declined", "dismissalPolicySet",
    "durationLearned", "durationDoubted", "interstitialsDeclared", "seekWindowSet",
    "timelineUnattended", "ended", "finished", "itemAdvanced", "itemSelected", "joined", "left",
    "lost", "messageSent", "readied", "readinessSet", "resumed", "roleSet", "suspensionBegan",
    "suspensionEnded", "timelineDropped", "timelineSet", "waitingPolicySet", "cleared",
    "inserted", "moved", "removed", "repeatSet", "selected", "shuffled", "unshuffled",
    "autoAdvanceSet", "memberJoined", "memberLeft", "interrupted", "memberLost", "memberResumed",
    "sharingSet", "preferredDeviceSet", "sessionStarted", "sessionEnded", "opened", "closed",
    "objectUpdated", "objectRemoved", "attachmentAdded", "attachmentRemoved", "added",
    "discarded", "invited", "invitationAnswered", "invitationsRevoked", "invitationsExpired",
  ]

  /// Stories in which nothing happens prove nothing.
  @Test func `the stories visit every kind of event`() {
    var kinds: Set<String> = []
    var refusals: Set<ErrorCode> = []
    for seed in 1...200 where !kinds.isSuperset(of: Self.wanted) || refusals.count <= 20 {
      var script = RandomScript(seed: UInt64(seed))
      for _ in 0..<300 { script.step() }
      for append in script.stage.journal.everything {
        for record in append.events { kinds.insert(record.kind) }
      }
      for answer in script.stage.clients.values.flatMap(\.answers.values).joined() {
        if case .failure(let error) = answer { refusals.insert(error.code) }
      }
    }
    #expect(Self.wanted.subtracting(kinds).isEmpty)
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

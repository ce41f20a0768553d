import Participation
import Playback
import Vocabulary

extension SessionNarrator {
  /// The words for what happened to playback.
  func words(for event: PlaybackEvent) -> Line {
    switch event {
    case .itemSelected(let item?, let id): detail("\(name(id)) opens \(title(item))")
    case .itemSelected(nil, let id): detail("\(name(id)) has nothing open")
    case .timelineSet(let item, let phase, let rate, let action, let id):
      words(for: action, on: item, Timeline(phase: phase, rate: rate, seq: 0), by: id)
    case .itemAdvanced(let old, let new, let phase, let rate):
      usual(
        "\(title(old)) is over; \(title(new)) is next, "
          + Timeline(phase: phase, rate: rate, seq: 0).phaseText)
    case .durationLearned(let item, let length):
      detail("\(title(item)) is \(length.clockText) long")
    case .durationDoubted(let item, let length, let id):
      detail("to \(name(id))'s player, \(title(item)) is \(length.clockText) long")
    case .interstitialsDeclared(let item, let breaks):
      detail("\(title(item)) has \(counted(breaks.ranges.count, "break"))")
    case .seekWindowSet(let item, let window):
      detail(
        "\(title(item)) is live: from \(window.start.clockText) to \(window.end.clockText) "
          + "can be gone to")
    case .readied(let id, _): detail("\(name(id)) is ready")
    case .finished(let id, _): detail("\(name(id))'s player is at the end")
    case .suspensionBegan(let id, _, let reason, isImposed: true):
      usual("\(name(id)) was not ready in time (\(reason.text))")
    case .suspensionBegan(let id, _, let reason, isImposed: false):
      person(did(id, .steppedOut(reason)))
    case .suspensionEnded(let id, _): person(did(id, .steppedIn))
    case .waitingPolicySet(let policy, let id):
      person("\(name(id)) changed the rules: \(policy.phrase)")
    case .timelineUnattended(let item, _): detail("nobody has \(title(item)) open any more")
    case .timelineDropped(let item): detail("\(title(item)) is forgotten")
    }
  }

  private func words(
    for action: TimelineAction, on item: ItemID, _ timeline: Timeline, by id: ParticipantID?
  ) -> Line {
    let phase = timeline.phaseText
    guard let id else { return usual("\(happening(action, item))\(phase)") }
    return switch action {
    case .play: person("\(did(id, .played)): \(phase)")
    case .pause: person("\(name(id)) \(phase)")
    case .seek:
      person("\(did(id, .sought(to: timeline.place))): \(phase)")
    case .setRate: person("\(did(id, .changedRate(timeline.rate))): \(phase)")
    case .wait: usual("\(did(id, .heldUp)): \(phase)")
    case .propose: usual("\(name(id)) brings \(title(item)) along: \(phase)")
    case .start, .freeze, .end: usual("\(happening(action, item))\(phase)")
    }
  }

  /// What happened by itself, before the words for where that leaves the item.
  private func happening(_ action: TimelineAction, _ item: ItemID) -> String {
    switch action {
    case .freeze: "nobody watches: "
    case .end: "\(title(item)) "
    case .wait: "somebody needs a moment: "
    case .propose, .play, .start, .pause, .seek, .setRate: ""
    }
  }
}

extension Timeline {
  /// Where it stands, or starts from.
  fileprivate var place: MediaTime {
    switch phase {
    case .paused(let place), .ended(let place): place
    case .preparing(let barrier): barrier.from
    case .playing(let anchor): anchor.mediaTime
    }
  }
}

extension WaitingPolicy {
  /// The policy in words.
  var phrase: String {
    guard !reasons.isEmpty else { return "nobody is waited for" }
    let names = reasons.map { reason in
      participantLimits[reason].map { "\(reason.text) (up to \($0) people)" } ?? reason.text
    }
    return "waits for \(names.sorted().joined(separator: ", ")), at most \(maximumWait.clockText)"
  }
}

import Playback
import Vocabulary

/// Compares a stage before and after one step, and says in words what should not be.
struct InvariantChecker {
  let before: PlaybackStage
  private var events: [PlaybackEvent] = []
  private var rejection: PlaybackRejection?
  private var command: (PlaybackCommand, ParticipantID)?

  init(before: PlaybackStage) {
    self.before = before
  }

  /// Carries the step out.
  mutating func take(_ step: PlaybackStep, _ stage: inout PlaybackStage) {
    do throws(PlaybackRejection) {
      switch step {
      case .command(let command, let id):
        self.command = (command, id)
        events = try stage.apply(command, by: id)
      case .join(let id):
        if stage.playback.participants[id] == nil { events = stage.join(id) }
      case .leave(let id): events = stage.leave(id)
      case .lose(let id): events = stage.lose(id)
      case .comeBack(let id): events = stage.comeBack(id)
      case .policy(let policy): events = stage.setPolicy(policy, by: ann)
      case .advance(let old, let new, let isPlaying):
        events = try stage.advance(from: old, to: new, isPlaying: isPlaying)
      case .delay(let delay): stage.conditions.slowestDelay = delay
      case .pass(let duration): events = stage.pass(duration)
      case .oversleep(let duration): events = stage.oversleep(duration)
      case .sleep(let duration): stage.now = stage.now + duration
      }
    } catch {
      rejection = error
    }
  }

  /// What the step broke.
  func broken(_ stage: PlaybackStage) -> String? {
    if let rejection, stage.playback != before.playback { return "\(rejection) changed the value" }
    return brokenDetachment(stage) ?? brokenContinuity(stage)
  }

  // MARK: I3

  /// A detached participant's intents never reach the group.
  private func brokenDetachment(_ stage: PlaybackStage) -> String? {
    guard let (command, id) = command, let participant = before.playback.participants[id] else {
      return nil
    }
    switch command {
    case .play, .pause, .seek, .setRate, .reportEnd: break
    case .transition, .suspend, .endSuspension, .ready: return nil
    }
    guard !participant.isAttached, stage.playback.timelines != before.playback.timelines else {
      return nil
    }
    return "a detached participant changed a timeline"
  }

  // MARK: I7

  /// A position jumps only where somebody asked for it.
  private func brokenContinuity(_ stage: PlaybackStage) -> String? {
    for (item, old) in before.playback.timelines {
      guard let new = stage.playback.timelines[item], !isMoved(item) else { continue }
      // While time passes the item may start, freeze or end between the two instants: then only
      // the direction is known, and no more media than time passes.
      let jump = (new.position(at: stage.now) - old.position(at: stage.now)).microseconds
      let isSame = new.seq == old.seq && new.duration == old.duration
      let isRunningOn = stage.now == before.now || isSame
      let elapsed = stage.now - before.now
      let pauseTolerance = Rate.fastest.media(in: stage.conditions.pauseTolerance).microseconds
      let allowed =
        isPaused(item)
        ? pauseTolerance : isRunningOn ? 2 : Rate.fastest.media(in: elapsed).microseconds + 2
      let isClamped = new.duration != old.duration && jump < 0
      // What starts where live content is gone, or not there yet, starts at the nearest place.
      let place = old.position(at: stage.now)
      let isOutside = new.seq != old.seq && new.reachable(place, at: stage.now) != place
      if abs(jump) > allowed, !isClamped, !isOutside { return "\(item) jumped by \(jump) µs" }
    }
    return nil
  }

  private func isPaused(_ item: ItemID) -> Bool {
    events.contains {
      if case .timelineSet(item, _, _, .pause, _) = $0 { true } else { false }
    }
  }

  /// Whether somebody moved the item: by a seek, by playing it again, by the queue.
  private func isMoved(_ item: ItemID) -> Bool {
    var isRestarted = false
    if case .ended? = before.playback.timelines[item]?.phase { isRestarted = true }
    return events.contains {
      switch $0 {
      case .timelineSet(item, _, _, .play, _): isRestarted
      case .timelineSet(item, _, _, let action, _): action == .seek || action == .propose
      case .itemAdvanced(_, item, _, _), .timelineDropped(item): true
      default: false
      }
    }
  }

  // MARK: States

  /// What does not hold for a stage whose timer has fired.
  func brokenOnceSettled(_ stage: PlaybackStage) -> String? {
    var settled = stage
    let wasDue = before.playback.nextDeadline.map { $0 <= stage.now } ?? false
    let undrawn = settled.settle()
    if !undrawn.isEmpty, !wasDue { return "a decision left undrawn: \(undrawn)" }
    let playback = settled.playback
    if let deadline = playback.nextDeadline, deadline <= settled.now {
      return "the deadline is over after settling: a timer would never rest"
    }
    if !settled.settle().isEmpty { return "settling twice is not settling once" }
    for (item, timeline) in playback.timelines {
      if let broken = brokenTimeline(item, timeline, settled) { return broken }
    }
    for participant in playback.participants.values {
      if let item = participant.item, playback.timelines[item] == nil {
        return "an item that someone has current has no timeline"
      }
      if participant.suspensions.count > settled.conditions.limits.suspensions {
        return "too many suspensions"
      }
    }
    return brokenPatience(settled)
  }

  private func brokenTimeline(_ item: ItemID, _ timeline: Timeline, _ stage: PlaybackStage)
    -> String?
  {
    let audience = stage.playback.participants.values.filter { $0.item == item }
    let isAttended = audience.contains { $0.isAttached }
    if audience.isEmpty != (timeline.keptUntil != nil) {
      return "\(item) is to be forgotten, or not, against who has it current"
    }
    for (doubter, _) in timeline.doubts
    where stage.playback.participants[doubter]?.item != item {
      return "\(doubter) doubts the length of \(item) without having it"
    }
    switch timeline.phase {
    case .paused, .ended: return nil
    case .playing(let anchor):
      if anchor.rate != timeline.rate { return "\(item) runs at another rate than it says" }
      // Inside an advertisement of its own it runs for those who stepped out for it.
      let isInInterstitial =
        timeline.interstitials.range(
          at: timeline.position(at: stage.now) - Interstitials.tolerance - Interstitials.tolerance,
          tolerance: Interstitials.tolerance * 3) != nil
        && audience.contains { $0.isConnected }
      return isAttended || isInInterstitial ? nil : "\(item) runs unattended"
    case .preparing(let barrier):
      if barrier.rate != timeline.rate { return "\(item) will run at another rate than it says" }
      if barrier.isFrozen {
        // After an advance that everybody had stepped out of, it waits for the first who opens it.
        let isAwaited = !audience.isEmpty || barrier.patience.map { stage.now < $0 } == true
        return !isAttended && isAwaited ? nil : "\(item) is frozen without reason"
      }
      if !isAttended { return "\(item) prepares unattended" }
      return stage.waitingFor(item).isEmpty ? "\(item) waits for nobody" : nil
    }
  }

  /// I6: a barrier has a deadline, and time alone ends it.
  private func brokenPatience(_ stage: PlaybackStage) -> String? {
    var waiting: [ItemID: Int] = [:]
    var bound = Duration.zero
    for (item, timeline) in stage.playback.timelines {
      guard case .preparing(let barrier) = timeline.phase, let patience = barrier.patience else {
        continue
      }
      waiting[item] = timeline.seq
      bound = max(bound, patience - stage.now)
    }
    guard !waiting.isEmpty else { return nil }
    guard stage.playback.nextDeadline != nil else { return "a barrier without a deadline" }
    let longest = PlaybackScript.policies.map(\.maximumWait).max() ?? .zero
    guard bound <= max(longest, stage.conditions.limits.longestPreparation) else {
      return "a barrier's patience is longer than the policy's"
    }
    var later = stage
    for _ in 0..<100 {
      guard let deadline = later.playback.nextDeadline, deadline <= stage.now + bound else { break }
      later.now = deadline
      if later.settle().isEmpty { return "a deadline came and nothing was due" }
    }
    for (item, seq) in waiting where later.playback.timelines[item]?.seq == seq {
      return "\(item) still prepares after its patience"
    }
    return nil
  }
}

import Vocabulary

/// A decision in the making: each event is applied at once, so that what follows sees it.
struct PlaybackDraft {
  private(set) var playback: CoordinatedPlayback
  private(set) var events: [PlaybackEvent] = []
  private var seq: Int
  let now: Instant
  let conditions: PlaybackConditions

  init(
    _ playback: CoordinatedPlayback, at now: Instant, after seq: Int,
    _ conditions: PlaybackConditions
  ) {
    self.playback = playback
    self.now = now
    self.seq = seq
    self.conditions = conditions
  }

  mutating func record(_ event: PlaybackEvent) {
    seq += 1
    playback.evolve(event, seq: seq, at: now)
    events.append(event)
  }

  mutating func set(
    _ item: ItemID, _ phase: Timeline.Phase, rate: Rate, _ action: TimelineAction,
    by id: ParticipantID? = nil
  ) {
    record(.timelineSet(item, phase, rate: rate, action: action, by: id))
  }
}

// MARK: Starting

extension PlaybackDraft {
  /// Starts an item: behind a barrier, or, where nobody is to be waited for, at once.
  mutating func begin(
    _ item: ItemID, from place: MediaTime, rate: Rate, immediately: Bool, _ action: TimelineAction,
    by id: ParticipantID?
  ) {
    // A length learned meanwhile may have left the place beyond the end, or live content moved on.
    let place = playback.timelines[item]?.reachable(place, at: now) ?? place
    if immediately || hasLargeAudience(item) {
      set(item, .playing(anchor(place, rate)), rate: rate, action, by: id)
    } else {
      set(item, .preparing(barrier(item, from: place, rate: rate)), rate: rate, action, by: id)
    }
  }

  /// Whether too many have the item current to ask each whether they are ready.
  func hasLargeAudience(_ item: ItemID) -> Bool {
    // Stops counting there: an audience of thousands is known for one after a few.
    let bound = conditions.limits.barrierParticipants + 1
    return playback.counting(item).prefix(bound).reduce(0) { count, _ in count + 1 } == bound
  }

  func anchor(_ place: MediaTime, _ rate: Rate) -> TimelineAnchor {
    TimelineAnchor(mediaTime: place, at: now + conditions.lead, rate: rate)
  }

  private func barrier(_ item: ItemID, from place: MediaTime, rate: Rate) -> StartBarrier {
    // Whoever was never ready on this item may still be loading it.
    let isFirstLoad = playback.counting(item).contains { $0.1.isAttached && $0.1.readySeq == 0 }
    let preparation =
      isFirstLoad ? conditions.limits.longestPreparation : conditions.preparation
    return StartBarrier(
      from: place, rate: rate, due: now + preparation,
      patience: now + max(preparation, playback.waitingPolicy.maximumWait))
  }

  /// Gives someone the group waited for the time to get ready, as far as its patience goes.
  mutating func extendBarrier(of item: ItemID, for id: ParticipantID) {
    guard let timeline = playback.timelines[item], case .preparing(let old) = timeline.phase,
      let oldDue = old.due, let patience = old.patience
    else { return }
    var renewed = barrier(item, from: old.from, rate: old.rate)
    let due = min(renewed.due ?? patience, patience)
    guard due > oldDue else { return }
    renewed.due = due
    renewed.patience = patience
    set(item, .preparing(renewed), rate: old.rate, .wait, by: id)
  }

  /// Makes a running item wait where it is, unless too many are watching to be asked.
  mutating func wait(_ item: ItemID, by id: ParticipantID) {
    guard let timeline = playback.timelines[item], case .playing = timeline.phase,
      !hasLargeAudience(item)
    else { return }
    let place = timeline.position(at: now)
    let barrier = barrier(item, from: place, rate: timeline.rate)
    set(item, .preparing(barrier), rate: timeline.rate, .wait, by: id)
  }
}

// MARK: Settling

extension PlaybackDraft {
  /// Draws every consequence of what was recorded and of the time that passed.
  mutating func settle() {
    for item in playback.timelines.keys.sorted() { settle(item) }
  }

  /// Draws the consequences for one item.
  mutating func settle(_ item: ItemID?) {
    guard let item, let timeline = playback.timelines[item] else { return }
    switch timeline.phase {
    case .paused, .ended: break
    case .playing: settleRunning(item, timeline)
    case .preparing(let barrier): settlePreparing(item, timeline, barrier)
    }
    noteIfUnattended(item)
  }

  /// An item that everybody left is remembered for a while: they may come back to it.
  private mutating func noteIfUnattended(_ item: ItemID) {
    guard playback.timelines[item]?.keptUntil == nil,
      playback.participants.firstValue(where: { $0.item == item }) == nil
    else { return }
    record(.timelineUnattended(item, until: now + conditions.limits.timelineGrace))
  }

  private mutating func settleRunning(_ item: ItemID, _ timeline: Timeline) {
    if let end = timeline.end, end <= now {
      set(item, .ended(at: timeline.lastPlace), rate: timeline.rate, .end)
    } else if timeline.duration == nil, hasMajorityFinished(item, timeline) {
      set(item, .ended(at: timeline.position(at: now)), rate: timeline.rate, .end)
    } else {
      stopIfUnattended(item, timeline)
    }
  }

  /// Whether more than half of those attached reported the end: how content of unknown length ends.
  private func hasMajorityFinished(_ item: ItemID, _ timeline: Timeline) -> Bool {
    var attached = 0
    var finished = 0
    for (_, participant) in playback.counting(item) where participant.isAttached {
      attached += 1
      if participant.endedSeq == timeline.seq { finished += 1 }
    }
    return finished * 2 > attached
  }

  private mutating func settlePreparing(
    _ item: ItemID, _ timeline: Timeline, _ barrier: StartBarrier
  ) {
    guard !stopIfUnattended(item, timeline) else { return }
    guard let due = barrier.due, let patience = barrier.patience else {
      begin(item, from: barrier.from, rate: barrier.rate, immediately: false, .wait, by: nil)
      return
    }
    if due <= now { imposeSuspensions(item, timeline) }
    // Everyone may have been suspended just now.
    guard !stopIfUnattended(item, timeline) else { return }
    if patience <= now || !isWaiting(for: item, timeline) {
      let start = anchor(timeline.position(at: now), barrier.rate)
      set(item, .playing(start), rate: barrier.rate, .start)
    }
  }

  private func isWaiting(for item: ItemID, _ timeline: Timeline) -> Bool {
    playback.counting(item).contains { playback.blocks($0.1, timeline, at: now) }
  }

  /// Time must not run on while nobody is watching: an item that people still have current waits
  /// for the first of them, one that everybody left is paused.
  @discardableResult
  private mutating func stopIfUnattended(_ item: ItemID, _ timeline: Timeline) -> Bool {
    var isCurrentForSomeone = false
    for (_, participant) in playback.counting(item) {
      if participant.isAttached { return false }
      isCurrentForSomeone = true
    }
    if let end = playback.interstitialEnds(item, timeline), now < end { return false }
    let place = timeline.position(at: now)
    if !isCurrentForSomeone {
      set(item, .paused(at: place), rate: timeline.rate, .freeze)
    } else if case .preparing(let barrier) = timeline.phase, barrier.isFrozen {
      return true
    } else {
      let frozen = StartBarrier(from: place, rate: timeline.rate, due: nil, patience: nil)
      set(item, .preparing(frozen), rate: timeline.rate, .freeze)
    }
    return true
  }

  /// Takes those who did not get ready in time for stalled, until they report ready.
  private mutating func imposeSuspensions(_ item: ItemID, _ timeline: Timeline) {
    let unready = playback.counting(item)
      .filter { $0.1.isAttached && $0.1.readySeq != timeline.seq }.map(\.0).sorted()
    for id in unready {
      record(.suspensionBegan(id, playback.nextSuspension, .stallRecovery, isImposed: true))
    }
  }
}

import Vocabulary

/// A decision in progress: each event is applied at once, so that the following steps see it.
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
  /// Starts an item behind a barrier, or at once if nobody is to be waited for.
  mutating func begin(
    _ item: ItemID, from position: MediaTime, rate: Rate, immediately: Bool,
    _ action: TimelineAction,
    by id: ParticipantID?
  ) {
    // A duration learned meanwhile, or a live window that moved on, may exclude the position.
    let position = playback.timelines[item]?.reachable(position, at: now) ?? position
    if immediately || hasLargeAudience(item) {
      set(item, .playing(anchor(position, rate)), rate: rate, action, by: id)
    } else {
      set(item, .preparing(barrier(item, from: position, rate: rate)), rate: rate, action, by: id)
    }
  }

  /// Whether too many participants have the item current to wait for each one's ready report.
  func hasLargeAudience(_ item: ItemID) -> Bool {
    // Stops counting at the bound, so the cost does not grow with the audience.
    let bound = conditions.limits.barrierParticipants + 1
    return playback.counting(item).prefix(bound).reduce(0) { count, _ in count + 1 } == bound
  }

  func anchor(_ position: MediaTime, _ rate: Rate) -> TimelineAnchor {
    TimelineAnchor(mediaTime: position, at: now + conditions.lead, rate: rate)
  }

  private func barrier(_ item: ItemID, from position: MediaTime, rate: Rate) -> StartBarrier {
    // A participant that was never ready for this item may still be loading it.
    let isFirstLoad = playback.counting(item).contains { $0.1.isAttached && $0.1.readySeq == 0 }
    let preparation =
      isFirstLoad ? conditions.limits.longestPreparation : conditions.preparation
    return StartBarrier(
      from: position, rate: rate, due: now + preparation,
      patience: now + max(preparation, playback.waitingPolicy.maximumWait))
  }

  /// Gives a participant that the group waited for time to get ready, within the barrier's
  /// patience.
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

  /// Puts a running item behind a barrier at its position, unless the audience is large.
  mutating func wait(_ item: ItemID, by id: ParticipantID) {
    guard let timeline = playback.timelines[item], case .playing = timeline.phase,
      !hasLargeAudience(item)
    else { return }
    let position = timeline.position(at: now)
    let barrier = barrier(item, from: position, rate: timeline.rate)
    set(item, .preparing(barrier), rate: timeline.rate, .wait, by: id)
  }
}

// MARK: Settling

extension PlaybackDraft {
  /// Decides every consequence of the recorded events and of the time that passed.
  mutating func settle() {
    for item in playback.timelines.keys.sorted() { settle(item) }
  }

  /// Decides the consequences for one item.
  mutating func settle(_ item: ItemID?) {
    guard let item, let timeline = playback.timelines[item] else { return }
    switch timeline.phase {
    case .paused, .ended: break
    case .playing: settleRunning(item, timeline)
    case .preparing(let barrier): settlePreparing(item, timeline, barrier)
    }
    noteIfUnattended(item)
  }

  /// Keeps an item that everybody left for a while, because they may come back to it.
  private mutating func noteIfUnattended(_ item: ItemID) {
    guard playback.timelines[item]?.keptUntil == nil,
      playback.participants.firstValue(where: { $0.item == item }) == nil
    else { return }
    record(.timelineUnattended(item, until: now + conditions.limits.timelineGrace))
  }

  private mutating func settleRunning(_ item: ItemID, _ timeline: Timeline) {
    if let end = timeline.end, end <= now {
      set(item, .ended(at: timeline.lastPosition), rate: timeline.rate, .end)
    } else if timeline.duration == nil, hasMajorityFinished(item, timeline) {
      set(item, .ended(at: timeline.position(at: now)), rate: timeline.rate, .end)
    } else {
      stopIfUnattended(item, timeline)
    }
  }

  /// Whether more than half of those attached reported the end; it ends content of unknown
  /// duration.
  ///
  /// In a large audience as many are enough as a barrier waits for, because each report is an
  /// event for everyone.
  private func hasMajorityFinished(_ item: ItemID, _ timeline: Timeline) -> Bool {
    var attached = 0
    var finished = 0
    for (_, participant) in playback.counting(item) where participant.isAttached {
      attached += 1
      if participant.endedSeq == timeline.seq { finished += 1 }
    }
    return finished >= min(attached / 2 + 1, max(conditions.limits.barrierParticipants, 1))
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
    // The suspensions imposed above may have left nobody attached.
    guard !stopIfUnattended(item, timeline) else { return }
    if patience <= now || !isWaiting(for: item, timeline) {
      // A live window may have moved on during the wait.
      let start = anchor(timeline.reachable(barrier.from, at: now), barrier.rate)
      set(item, .playing(start), rate: barrier.rate, .start)
    }
  }

  private func isWaiting(for item: ItemID, _ timeline: Timeline) -> Bool {
    playback.counting(item).contains { playback.blocks($0.1, timeline, at: now) }
  }

  /// Stops an item without attached participants, so that time does not run on unwatched.
  ///
  /// If participants still have it current, it waits for the first one to attach; otherwise it is
  /// paused. A running item also runs on for those who have yet to come back after a restart of the
  /// server, until their grace period ends.
  ///
  /// - Returns: whether the item stands still now.
  @discardableResult
  private mutating func stopIfUnattended(_ item: ItemID, _ timeline: Timeline) -> Bool {
    var isCurrentForSomeone = false
    let isRunning = if case .playing = timeline.phase { true } else { false }
    for (_, participant) in playback.counting(item) {
      if isRunning ? participant.isWatching : participant.isAttached { return false }
      isCurrentForSomeone = true
    }
    if let end = playback.interstitialEnds(item, timeline), now < end { return false }
    let position = timeline.position(at: now)
    if !isCurrentForSomeone {
      if case .preparing(let barrier) = timeline.phase, barrier.isHeld(at: now) { return true }
      set(item, .paused(at: position), rate: timeline.rate, .freeze)
    } else if case .preparing(let barrier) = timeline.phase, barrier.isFrozen,
      barrier.patience == nil
    {
      return true
    } else {
      let frozen = StartBarrier(from: position, rate: timeline.rate, due: nil, patience: nil)
      set(item, .preparing(frozen), rate: timeline.rate, .freeze)
    }
    return true
  }

  /// Lets a running item that nobody has current stand still until somebody opens it, for as long as
  /// a first load may take: the other device after a handoff, or the first of those who stepped out.
  mutating func hold(_ item: ItemID) {
    guard let timeline = playback.timelines[item],
      playback.participants.firstValue(where: { $0.item == item }) == nil,
      timeline.end.map({ now < $0 }) ?? true
    else { return }
    switch timeline.phase {
    case .paused, .ended: break
    case .preparing, .playing:
      let held = StartBarrier(
        from: timeline.position(at: now), rate: timeline.rate, due: nil,
        patience: now + conditions.limits.longestPreparation)
      set(item, .preparing(held), rate: timeline.rate, .freeze)
    }
  }

  /// Suspends those who did not get ready in time as stalled, until they report ready.
  private mutating func imposeSuspensions(_ item: ItemID, _ timeline: Timeline) {
    let unready = playback.counting(item)
      .filter { $0.1.isAttached && $0.1.readySeq != timeline.seq }.map(\.0).sorted()
    for id in unready {
      record(.suspensionBegan(id, playback.nextSuspension, .stallRecovery, isImposed: true))
    }
  }
}

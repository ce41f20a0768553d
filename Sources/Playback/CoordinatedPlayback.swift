package import Vocabulary

/// The coordinated playback of one session: a timeline per item, and the participants' state.
///
/// A pure value: ``decide`` checks a command and returns events, ``evolve`` applies them, and
/// nothing else changes state. Call ``settle`` once ``nextDeadline`` has passed; calling it earlier
/// is harmless.
package struct CoordinatedPlayback: Equatable, Sendable {
  package private(set) var timelines: SortedMap<ItemID, Timeline>
  package private(set) var participants: SortedMap<ParticipantID, CoordinatedParticipant>
  package private(set) var waitingPolicy: WaitingPolicy
  /// The number that the next suspension gets.
  package private(set) var nextSuspension: SuspensionID
  /// How many bytes the timelines and the participants' state take as JSON at most.
  package private(set) var size: PlaybackSize

  /// Playback without participants and timelines.
  package init(waitingPolicy: WaitingPolicy = .keepGoing) {
    self.init(timelines: [:], participants: [:], waitingPolicy: waitingPolicy, nextSuspension: 1)
  }

  /// Restores playback from a snapshot.
  package init(
    timelines: SortedMap<ItemID, Timeline>,
    participants: SortedMap<ParticipantID, CoordinatedParticipant>,
    waitingPolicy: WaitingPolicy, nextSuspension: SuspensionID
  ) {
    self.timelines = timelines
    self.participants = participants
    self.waitingPolicy = waitingPolicy
    self.nextSuspension = nextSuspension
    size = PlaybackSize(timelines, participants)
  }

  /// When ``settle`` is due; `nil` while only a participant's command can change anything.
  package var nextDeadline: Instant? {
    timelines.least { item, timeline in
      switch timeline.phase {
      case .paused, .ended: nil
      case .preparing(let barrier): hasUnready(item) ? barrier.due : waitingEnds(item, barrier)
      case .playing: Instant.earlier(timeline.end, interstitialEnds(item, timeline))
      }
    }
  }

  /// The participants whose current item this is.
  package func counting(_ item: ItemID) -> some Sequence<(ParticipantID, CoordinatedParticipant)> {
    participants.lazy.filter { $0.value.item == item }.map { ($0.key, $0.value) }
  }

  /// The participants that the item's barrier waits for, sorted; empty unless the item is
  /// preparing.
  package func waitingFor(_ item: ItemID, at now: Instant) -> [ParticipantID] {
    guard let timeline = timelines[item], case .preparing = timeline.phase else { return [] }
    return counting(item).filter { blocks($0.1, timeline, at: now) }.map(\.0).sorted()
  }

  /// Whether a start need not wait for the participant's player: it follows the group on an item,
  /// and has answered the item's barrier if there is one.
  package func isReadyToPlay(_ id: ParticipantID) -> Bool {
    guard let participant = participants[id], participant.isAttached, let item = participant.item
    else { return false }
    guard let timeline = timelines[item], case .preparing = timeline.phase else { return true }
    return participant.readySeq == timeline.seq
  }

  /// Whether a participant attached to the item has not answered its barrier yet.
  func hasUnready(_ item: ItemID) -> Bool {
    guard let timeline = timelines[item] else { return false }
    return counting(item).contains { $0.1.isAttached && $0.1.readySeq != timeline.seq }
  }

  /// Whether the group waits for this participant before it starts.
  func blocks(_ participant: CoordinatedParticipant, _ timeline: Timeline, at now: Instant) -> Bool
  {
    guard participant.isConnected else { return false }
    if participant.suspensions.isEmpty { return participant.readySeq != timeline.seq }
    return isWaitedFor(participant, at: now)
  }

  /// Whether the group waits out one of the participant's suspensions.
  func isWaitedFor(_ participant: CoordinatedParticipant, at now: Instant) -> Bool {
    guard let item = participant.item else { return false }
    return participant.suspensions.contains {
      patience(with: $0, on: item).map { now < $0 } ?? false
    }
  }

  /// When the group stops waiting for this suspension; `nil` if the policy does not wait for it.
  ///
  /// The limit counts from the suspension's start, so new barriers do not prolong it.
  private func patience(with suspension: Suspension, on item: ItemID) -> Instant? {
    guard waits(for: suspension.reason, on: item) else { return nil }
    return suspension.since + waitingPolicy.maximumWait
  }

  /// Whether the people with the item are few enough to wait for somebody with this reason.
  ///
  /// Whoever has another item current, or none, such as the keeper of a Syncplay room, does not
  /// watch, and so is not counted.
  func waits(for reason: SuspensionReason, on item: ItemID) -> Bool {
    guard waitingPolicy.reasons.contains(reason) else { return false }
    guard let limit = waitingPolicy.participantLimits[reason] else { return true }
    return !counting(item).dropFirst(max(limit, 0)).contains { _ in true }
  }

  /// When the last participant inside one of the running item's own advertisements leaves it.
  ///
  /// `nil` if somebody is watching, or nobody is inside an advertisement. The item keeps running
  /// while everybody is suspended for an advertisement that belongs to it.
  func interstitialEnds(_ item: ItemID, _ timeline: Timeline) -> Instant? {
    guard !timeline.interstitials.isEmpty, case .playing(let anchor) = timeline.phase else {
      return nil
    }
    var last: Instant?
    for (_, participant) in counting(item) {
      if participant.isWatching { return nil }
      guard participant.isPresent, let entered = participant.interstitialSince else { continue }
      let position = timeline.position(at: max(entered, anchor.at))
      guard
        let range = timeline.interstitials.range(at: position, tolerance: Interstitials.tolerance)
      else { continue }
      let end = anchor.instant(of: range.end) + Interstitials.tolerance
      last = max(last ?? end, end)
    }
    return last
  }

  /// When the barrier stops waiting for suspended participants, once everyone attached is ready.
  private func waitingEnds(_ item: ItemID, _ barrier: StartBarrier) -> Instant? {
    guard let limit = barrier.patience else { return nil }
    let ends = counting(item).lazy.filter(\.1.isConnected).flatMap(\.1.suspensions)
      .compactMap { patience(with: $0, on: item) }.max()
    return ends.map { min($0, limit) } ?? limit
  }
}

extension CoordinatedPlayback {
  /// Applies an event.
  ///
  /// - Parameter seq: the event's number in the session.
  package mutating func evolve(_ event: PlaybackEvent, seq: Int, at now: Instant) {
    switch event {
    case .itemSelected(let item, let id): select(item, by: id)
    case .timelineSet(let item, let phase, let rate, _, _):
      set(item, phase, rate: rate, seq: seq)
    case .itemAdvanced(let old, let new, let phase, let rate):
      set(new, phase, rate: rate, seq: seq)
      for (id, participant) in participants
      where participant.item == old && !participant.isSuspendedByChoice {
        select(new, by: id)
      }
    case .durationLearned(let item, let duration):
      change(item, where: { $0.windowBytes + $0.doubtBytes }, { $0.learn(duration) })
    case .durationDoubted(let item, let duration, let id): doubt(duration, of: item, by: id)
    case .interstitialsDeclared(let item, let interstitials):
      change(item, where: { $0.interstitials.byteBound }, { $0.interstitials = interstitials })
    case .seekWindowSet(let item, let window):
      change(item, where: { $0.windowBytes }, { $0.seekWindow = .told(window, at: now) })
    case .readied(let id, let answered):
      change(id) { $0.readySeq = answered }
    case .finished(let id, let answered):
      change(id) { $0.endedSeq = answered }
    case .suspensionBegan(let id, let number, let reason, let isImposed):
      let suspension = Suspension(id: number, reason: reason, since: now, isImposed: isImposed)
      change(id) { $0.suspensions.append(suspension) }
      nextSuspension = max(nextSuspension, number + 1)
    case .suspensionEnded(let id, let number):
      change(id) { $0.suspensions.removeAll { $0.id == number } }
    case .waitingPolicySet(let policy, _):
      waitingPolicy = policy
    case .timelineUnattended(let item, let until):
      timelines[item]?.keptUntil = until
    case .timelineDropped(let item):
      guard let timeline = timelines[item] else { break }
      size.timelines -= timeline.byteBound(of: item)
      timelines[item] = nil
    }
  }
  private mutating func select(_ item: ItemID?, by id: ParticipantID) {
    forgetDoubt(of: id)
    change(id) { participant in
      participant.item = item
      participant.readySeq = 0
      participant.endedSeq = 0
    }
    if let item { timelines[item]?.keptUntil = nil }
  }

  /// Changes a participant's fields, and counts their bytes.
  private mutating func change(
    _ id: ParticipantID, _ change: (inout CoordinatedParticipant) -> Void
  ) {
    var growth = 0
    _ = participants.change(id) { participant in
      growth = -participant.byteBound
      change(&participant)
      growth += participant.byteBound
    }
    size.participants += growth
  }

  /// Changes a part of a timeline, and counts the part's bytes.
  private mutating func change(
    _ item: ItemID, where bytes: (Timeline) -> Int, _ change: (inout Timeline) -> Void
  ) {
    var growth = 0
    _ = timelines.change(item) { timeline in
      growth = -bytes(timeline)
      change(&timeline)
      growth += bytes(timeline)
    }
    size.timelines += growth
  }

  private mutating func set(_ item: ItemID, _ phase: Timeline.Phase, rate: Rate, seq: Int) {
    let isKnown = timelines.change(item) { timeline in
      (timeline.phase, timeline.rate, timeline.seq) = (phase, rate, seq)
    }
    guard !isKnown else { return }
    let timeline = Timeline(phase: phase, rate: rate, seq: seq)
    size.timelines += timeline.byteBound(of: item)
    timelines[item] = timeline
  }

  private mutating func doubt(_ duration: Duration, of item: ItemID, by id: ParticipantID) {
    guard let doubts = timelines[item]?.doubts else { return }
    // Counted one by one, because an item may have a doubt for each of thousands.
    if doubts[id] == nil { size.timelines += Timeline.doubtBytes(id) }
    timelines[item]?.doubts[id] = duration
  }

  /// Drops the participant's report of the item's duration, because it moves to another item.
  private mutating func forgetDoubt(of id: ParticipantID) {
    guard let item = participants[id]?.item, timelines[item]?.doubts[id] != nil else { return }
    size.timelines -= Timeline.doubtBytes(id)
    timelines[item]?.doubts[id] = nil
  }

  /// Adds a participant without a current item.
  package mutating func add(_ id: ParticipantID) {
    size.participants -= participants[id]?.byteBound ?? 0
    let participant = CoordinatedParticipant()
    size.participants += participant.byteBound
    participants[id] = participant
  }

  /// Removes a participant with all its suspensions.
  package mutating func remove(_ id: ParticipantID) {
    forgetDoubt(of: id)
    size.participants -= participants[id]?.byteBound ?? 0
    participants[id] = nil
  }

  /// Records whether the participant is connected.
  package mutating func setConnected(_ id: ParticipantID, _ isConnected: Bool) {
    _ = participants.change(id) { participant in
      (participant.isConnected, participant.wasInterrupted) = (isConnected, false)
    }
  }

  /// Records that a restart of the server disconnected the participant.
  package mutating func interrupt(_ id: ParticipantID) {
    _ = participants.change(id) { participant in
      (participant.isConnected, participant.wasInterrupted) = (false, true)
    }
  }
}

import Playback
import Vocabulary
import Wire

// How a client's States are interpreted, and which States it is sent.

extension SyncplayPeer {
  /// What a client's State says about its player.
  struct Report: Equatable, Sendable {
    let isPaused: Bool
    /// The player's pause state if it differs from what the client was last told; `nil` otherwise.
    let change: Bool?
    /// Whether the State acknowledges the outstanding change.
    let isAnswer: Bool
  }

  /// Handles a State, which shows that the client is alive.
  ///
  /// - Returns: what it says about the player; `nil` if the client has not acknowledged a change
  ///   yet, or has been told nothing yet.
  mutating func hear(_ state: SyncplayClientState, at now: Instant) -> Report? {
    lastHeard = now
    let isAnswer = exchange.receive(state, at: now)
    if isAnswer { unseen = nil }
    guard !exchange.isWaiting, let told = state.place, told.position.isFinite,
      let believed = toldPaused
    else { return nil }
    let isPaused = told.isPaused ?? place?.isPaused ?? believed
    place = SyncplayClientState.Place(position: told.position, isPaused: isPaused)
    return Report(
      isPaused: isPaused, change: isPaused != believed ? isPaused : nil, isAnswer: isAnswer)
  }

  /// Adds to the weight of the messages since the client's last periodic State, and returns the
  /// sum.
  mutating func noteSaid(_ weight: Int) -> Int {
    said += Int32(clamping: weight)
    return Int(said)
  }

  /// Learns from the position of a player that is paused or plays like its room.
  ///
  /// - Returns: whether it has to be moved to the group's position.
  mutating func note(_ position: Double, _ room: Standing, at now: Instant) -> Bool {
    let ahead = room.isPaused ? 0 : Double(oneWay) / 1_000_000 * room.rate.factor
    let place = room.place(at: now)
    let offset = MediaTime.seconds(position + ahead - place).microseconds
    let hasFile = user?.file != nil
    if var arrival {
      arrival.note(offset: offset)
      guard arrival.isOver(at: now, hasFile: hasFile) else {
        // Nothing is learned while a player loads: clients that are told to seek at a film's start
        // are 0.6 to 0.8 s ahead.
        if let landing, now - landing.at >= Self.seekTime { self.landing = nil }
        // The client was told the group's position but is not there, because it is still loading.
        let isFetched =
          hasFile && plan == nil && isReachable(place)
          && arrival.fetches(offset: offset, to: room.isPaused ? nil : place, at: now)
        self.arrival = arrival
        return isFetched
      }
      self.arrival = nil
    }
    learn(from: offset, room, at: now)
    guard plan == nil, landing == nil, isReachable(place) else { return false }
    let drifts = !room.isPaused && room.rate != .normal
    return drift.note(offset, isExpected: drifts, at: now)
  }

  /// Whether the client's own file is long enough for the room's position.
  private func isReachable(_ place: Double) -> Bool { user?.file?.isEnd(place) != true }

  private mutating func learn(from offset: Int64, _ room: Standing, at now: Instant) {
    guard let landing else { return }
    let age = now - landing.at
    switch landing.purpose {
    case .stop where room.isPaused && age >= Self.stopTime: habits.noteStop(offset)
    case .start where !room.isPaused && room.rate == .normal && age >= Self.seekTime:
      habits.noteStart(offset)
    case .seek where !room.isPaused && room.rate == .normal && age >= Self.seekTime:
      switch landing.motion {
      case .standing: habits.noteStart(offset)
      case .beginning: habits.noteCatchUp(offset)
      case .running: habits.noteSeek(offset)
      }
    case .acknowledgement: break
    default:
      if age < Self.landingTime { return }
    }
    self.landing = nil
  }

  /// How long a player takes to stop, how long to continue after a seek, and after which time
  /// nothing is learned.
  private static let stopTime = Duration.milliseconds(400)
  private static let seekTime = Duration.milliseconds(900)
  private static let landingTime = Duration.seconds(4)
}

// MARK: States to the client

extension SyncplayPeer {
  /// The actions that are due with a periodic State.
  struct Beat: OptionSet, Sendable {
    let rawValue: UInt8

    /// The client has been silent for too long.
    static let silence = Beat(rawValue: 1)
    /// This periodic State is skipped.
    static let spared = Beat(rawValue: 2)
    /// The coordinator is told the client's position and round trip if they are new.
    static let report = Beat(rawValue: 4)
    /// The coordinator is told something even if nothing is new.
    static let ping = Beat(rawValue: 8)
    /// The peer still has to join the session.
    static let join = Beat(rawValue: 16)
  }

  /// Begins the next period, and returns what is due.
  ///
  /// A State that would contradict a scheduled one or an unanswered request is skipped. At least
  /// every second period has a State, because clients disconnect otherwise.
  ///
  /// - Parameters:
  ///   - isStarting: whether its room is about to start.
  ///   - next: when the next beat is due.
  mutating func beat(isStarting: Bool, next: Instant, at now: Instant) -> Beat {
    guard now.microseconds - lastHeard.microseconds <= Self.silence else { return .silence }
    pulse = next
    var isSpared = membership.steering != nil
    if !isSpared, let plan { isSpared = plan.due < now + SyncplayLimits.statePeriod }
    if !isSpared, !wasSpared { isSpared = isStarting }
    if !isSpared { isSpared = exchange.isAnswerDue(at: now) }
    var beat: Beat = isSpared ? .spared : []
    if pulses % UInt8(SyncplayLimits.periodsOfReport) == 2 { beat.formUnion(.report) }
    if pulses == 2 { beat.formUnion(.ping) }
    if membership.participant == nil { beat.formUnion(.join) }
    pulses = (pulses + 1) % UInt8(SyncplayLimits.periodsOfPing)
    said = 0
    wasSpared = isSpared
    membership.steer(by: nil)
    return beat
  }

  private static let silence = SyncplayLimits.silence.microseconds

  /// Its round trip, if it differs from what the session knows; `nil` also for a client that has
  /// returned no stamp.
  mutating func takeNewTrip() -> Duration? {
    guard exchange.latency.isKnown else { return nil }
    let trip = exchange.latency.late
    if let known = membership.reportedTrip?.microseconds,
      abs(trip.microseconds - known) <= max(known / 8, Self.sameTrip)
    {
      return nil
    }
    membership.report(trip)
    return trip
  }

  /// Round trips that differ by less, in microseconds, count as the same.
  private static let sameTrip: Int64 = 2_000

  /// The position of its player, if the session does not know it; `nil` also if the position is
  /// unknown or the peer takes no part.
  ///
  /// - Parameter room: its room's position. A paused player in a paused room is reported once.
  mutating func takeNewReport(on item: ItemID, in room: Standing) -> PositionReport? {
    guard let place, let isPaused = place.isPaused, membership.participant != nil else {
      return nil
    }
    let mediaTime = MediaTime.seconds(max(place.position, 0))
    let rest =
      isPaused && room.isPaused ? Membership.Rest(seq: room.seq, place: mediaTime) : nil
    if let rest, rest == membership.reportedRest { return nil }
    membership.report(rest)
    return PositionReport(
      item: item, mediaTime: mediaTime,
      at: Instant(microseconds: lastHeard.microseconds - oneWay),
      isPlaying: !isPaused)
  }

  /// Composes the State to send.
  ///
  /// - Parameters:
  ///   - purpose: what the client has to do; `nil` is a periodic State.
  ///   - room: its room's position; `nil` before the room has an item.
  ///   - setter: the name of the user who moved the room last.
  ///   - server: the name under which the server speaks.
  ///   - other: what to send instead of the room's position.
  mutating func compose(
    _ purpose: Plan.Purpose?, _ room: Standing?, setBy setter: String?, server: String,
    _ other: SyncplayServerState?, at now: Instant
  ) -> SyncplayServerState {
    let rest = room.flatMap { self.rest(in: $0, at: now) }
    let other = other ?? rest
    let effective = rest == nil ? purpose ?? unseen : .acknowledgement
    let isPaused = other?.isPaused ?? room?.isPaused(at: now) ?? true
    let position =
      other?.position ?? room.map { self.position(in: $0, effective, at: now) } ?? 0
    let isSeek = effective?.isSeek == true
    // Only what stands at its start was moved by nobody.
    let isFresh = isPaused && position == 0 && toldPaused != false && !isSeek
    let setBy = author(
      of: effective, setBy: other?.setBy ?? setter, otherwise: isFresh ? nil : server, server)
    let state = exchange.compose(
      position: position, isPaused: isPaused, isSeek: isSeek, setBy: setBy, isNew: purpose != nil,
      at: now)
    if let purpose {
      unseen = purpose
      landing = landing(of: purpose, isPaused: isPaused, at: now)
    }
    toldPaused = isPaused
    return state
  }

  /// The name under which the client shows what it is told.
  ///
  /// A client does not carry out its own changes, so a seek is sent under another name.
  ///
  /// - Parameters:
  ///   - setter: the name of the user who moved the room last.
  ///   - substitute: the name if nobody did.
  ///   - server: the name under which the server speaks.
  private func author(
    of purpose: Plan.Purpose?, setBy setter: String?, otherwise substitute: String?,
    _ server: String
  ) -> String? {
    switch purpose {
    case .correction: server
    case .confirmation: user?.name
    case .seek where setter == user?.name: server
    default: setter ?? substitute
    }
  }

  /// What a client is told whose player stands at its own file's end while the room plays on in a
  /// longer copy; `nil` for any other client.
  ///
  /// Told that the room plays, it would start its player, which cannot run, with every State, and
  /// show each time that somebody unpaused. It shows nothing of what it is told to have done itself.
  private func rest(in room: Standing, at now: Instant) -> SyncplayServerState? {
    guard !room.isPaused, let place, place.isPaused == true, !isReachable(place.position),
      !isReachable(room.place(at: now))
    else { return nil }
    return SyncplayServerState(
      position: place.position, isPaused: true, setBy: user?.name, stamp: 0)
  }

  /// The position to send to a client so that its player arrives at the room's position.
  private func position(in room: Standing, _ purpose: Plan.Purpose?, at now: Instant) -> Double {
    let place = room.place(at: now)
    switch purpose {
    case .seek where !room.isPaused, .correction where !room.isPaused:
      // If the room plays at another rate, the client is sent ahead by half of its drift between
      // two seeks, so that it is ahead for half of the time and behind for the other half.
      let drift = (room.rate.factor - 1) * Double(DriftWatch.interval) / 2_000_000
      let aim = min(max(drift, -Self.largestAim), Self.largestAim)
      let cost =
        switch motion(at: now) {
        case .standing: habits.seekAndStartCost
        case .beginning: habits.catchUpCost
        case .running: habits.seekCost
        }
      return max(place + Double(cost) / 1_000_000 * room.rate.factor + aim, 0)
    case .stop where toldPaused == false: return max(place - Double(habits.overrun) / 1_000_000, 0)
    default: return place
    }
  }

  /// The state of its player, derived from what it was told.
  private func motion(at now: Instant) -> Landing.Motion {
    guard toldPaused == false else { return .standing }
    guard let landing, landing.purpose == .start, now - landing.at < Self.beginning else {
      return .running
    }
    return .beginning
  }

  /// How long a player takes to start.
  private static let beginning = Duration.milliseconds(500)

  /// Clients slow down once they are 1.5 s ahead.
  private static let largestAim = 1.2

  private func landing(of purpose: Plan.Purpose, isPaused: Bool, at now: Instant) -> Landing? {
    switch purpose {
    case .stop where toldPaused == false, .seek where !isPaused, .start where !isPaused:
      Landing(purpose: purpose, motion: motion(at: now), at: now)
    case .correction: landing(of: .seek, isPaused: isPaused, at: now)
    default: nil
    }
  }
}

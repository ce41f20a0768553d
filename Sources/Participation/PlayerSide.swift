import GroupSessions
import Playback
import Vocabulary
import Wire

/// A client's player and the follower that keeps it in step with the group.
///
/// Each input is one turn. It takes the client's state (``Surroundings``) and returns what the
/// client has to do, in order (``Step``).
struct PlayerSide: Equatable, Sendable {
  private let hasPlayer: Bool
  private let attends: Bool
  private let pausesAfterSession: Bool
  private var follower: Follower
  /// The item that the player was last ordered to open.
  private(set) var wanted: MediaItem?
  private var search: MediaSearch
  private(set) var player = PlayerState()
  private var seekWindow = SeekWindowReport()
  /// The timeline last given to the follower.
  private(set) var followed: Timeline?
  var ownSuspensions = OwnSuspensions()
  /// The participant for which the item was announced to the server as open.
  var transitioned: ParticipantID?
  /// The item that is followed before the server has answered that it is current here.
  var anticipated: ItemID?
  /// Whether the player is detached because a person moved it while the connection was down.
  private var isAstray = false
  /// Whether this spectator has stepped out, of which nobody is told.
  private var isOut = false
  var answered: ReadyReport?
  /// When the next position report is due.
  private var reportDue = HostTime(microseconds: 0)
  /// The playback status last published to the app.
  private var published: Client.PlaybackStatus?
  /// Empty between turns.
  private(set) var around = Surroundings()
  private var steps: [Step] = []

  init(_ settings: ClientSettings) {
    hasPlayer = settings.hasPlayer
    attends = settings.attendsWithoutPlayer
    pausesAfterSession = settings.pausesAfterSession
    search = MediaSearch(on: settings.host)
    follower = Follower(playerOffset: settings.playerOffset)
  }

  /// Whether the player has the activity's item open.
  var isLoaded: Bool { player.isLoaded }
  var nextDeadline: HostTime? { follower.nextDeadline }
  func expectedPlace(at time: HostTime) -> MediaTime? { follower.expectedPlace(at: time) }

  /// The item that is not yet open here for this participant; `nil` if none is awaited.
  ///
  /// The server accepts commands to an item only from participants who have it open. The app's
  /// commands therefore wait until the server knows that it is open.
  func awaitedItem(as participant: ParticipantID?) -> ItemID? {
    guard hasPlayer || attends, !player.isUnplayable, transitioned != participant else {
      return nil
    }
    return wanted?.item
  }

  /// Whether a command moves only this device's player, because the player is detached.
  func isLocal(_ command: PlaybackCommand, _ around: Surroundings) -> Bool {
    guard around.seat?.isJoined == true else { return false }
    switch command {
    case .play, .pause, .seek, .setRate:
      return hasPlayer && isLoaded && (isDetachedByChoice(in: around.seat) || !around.isOnline)
    case .suspend, .endSuspension: return around.seat?.isSpectator == true
    case .transition, .ready, .reportEnd: return false
    }
  }

  // MARK: Turns

  /// Brings player and follower in line with the session.
  mutating func refollow(_ around: Surroundings) -> [Step] { turn(around) { $0.bringInLine() } }

  /// Passes an input to the follower.
  mutating func feed(_ input: Follower.Input, _ around: Surroundings) -> [Step] {
    turn(around) { $0.drive(input) }
  }

  /// Handles a player event about this item.
  mutating func hear(_ event: PlayerEvent, of item: ItemID, _ around: Surroundings) -> [Step] {
    turn(around) { $0.take(event, of: item) }
  }

  /// Opens the server's media at the address that the server told.
  mutating func open(_ url: String, _ outcome: Client.Outcome, _ around: Surroundings) -> [Step] {
    turn(around) { side in
      switch side.search.end(outcome, of: url) {
      case .found(let media): side.steps.append(.order(.load(media)))
      case .missing(let item): side.take(.failed(reason: "no address is known"), of: item)
      case nil: break
      }
    }
  }

  /// Takes it that a person who watches alone opened or closed media in the player.
  ///
  /// A session, whether joined already or next, then opens its item, even if it is the one that a
  /// session opened last.
  mutating func losePlayer(_ around: Surroundings) -> [Step] {
    turn(around) { side in
      guard side.hasPlayer else { return }
      side.letGo()
      side.wanted = nil
      side.search.stop()
      side.player.open()
      (side.seekWindow, side.transitioned, side.anticipated) = (SeekWindowReport(), nil, nil)
      side.steps.append(.refollow)
    }
  }

  /// Detaches the player because the session is over for this device.
  mutating func detach(_ around: Surroundings) -> [Step] { turn(around) { $0.detachPlayer() } }

  /// Returns the player to the group's timeline after the server refused an intent.
  mutating func followAgain(_ around: Surroundings) -> [Step] {
    turn(around) { $0.steer() }
  }

  /// Detaches the player from the timeline while the connection is down.
  mutating func goAstray(_ command: PlayerCommand?, _ around: Surroundings) -> [Step] {
    turn(around) { $0.wander(command) }
  }

  /// Attaches the player to the timeline again after a reconnection.
  mutating func comeBack() { isAstray = false }

  /// Carries out a command on this device's player only.
  mutating func carryOutLocally(_ command: PlaybackCommand, _ around: Surroundings) -> [Step] {
    turn(around) { $0.obey(command) }
  }

  mutating func turn(
    _ around: Surroundings, _ body: (inout PlayerSide) -> Void
  ) -> [Step] {
    self.around = around
    defer { (self.around, steps) = (Surroundings(), []) }
    body(&self)
    return steps
  }

  // MARK: The session's activity

  private mutating func bringInLine() {
    guard around.seat?.isJoined == true, let session = around.seat?.session else { return }
    guard hasPlayer else { return attend(session) }
    isOut = isOut && isSpectator
    adopt(session.activity.media)
    takePlace()
    if anticipated.map(isOpen) == true { anticipated = nil }
    drive(.suspended(isDetachedByChoice(in: around.seat)))
    let timeline = currentTimeline
    if timeline != followed, let clock = around.clock {
      followed = timeline
      drive(.timeline(timeline, clock: clock))
    }
    answerImposed()
    publishPlayback()
  }

  /// Takes part without a player: opens nothing and reports ready at once.
  private mutating func attend(_ session: GroupSession) {
    guard attends else { return }
    if transitioned != around.seat?.participant { answered = nil }
    if wanted != session.activity.media {
      if wanted?.item != session.activity.media?.item { transitioned = nil }
      wanted = session.activity.media
      player.pretend(isLoaded: wanted != nil)
      if !isLoaded { askPlayback(.transition(to: nil), .nobody) }
    }
    takePlace()
    if let timeline = currentTimeline, case .preparing = timeline.phase {
      report(ready: timeline.seq)
    }
    publishPlayback()
  }

  /// The timeline of the open item, once the item is current here or is followed before.
  var currentTimeline: Timeline? {
    guard isLoaded, let item = wanted?.item, isOpen(item) || anticipated == item else { return nil }
    return around.seat?.session?.playback.timelines[item]
  }

  /// Whether the server knows that the item is current here; of spectators it knows nothing.
  private func isOpen(_ item: ItemID) -> Bool { isSpectator || around.seat?.me?.item == item }
  var standing: [Suspension] { around.seat?.me?.suspensions ?? [] }
  private var isSpectator: Bool { around.seat?.isSpectator == true }

  /// Opens the activity's item.
  private mutating func adopt(_ next: MediaItem?) {
    let isSame = next?.item == wanted?.item && next?.url == wanted?.url
    guard !isSame || search.isOutdated(in: around.seat?.id, isLoaded: isLoaded) else { return }
    letGo()
    wanted = next
    player.open()
    (seekWindow, transitioned, anticipated) = (SeekWindowReport(), nil, nil)
    if let next {
      steps.append(search.begin(next, in: around.seat?.id))
    } else {
      search.stop()
      steps.append(.order(.unload))
      askPlayback(.transition(to: nil), .nobody)
    }
  }

  /// Tells the server once that the item is open here.
  private mutating func takePlace() {
    guard isLoaded, let item = wanted?.item, let me = around.seat?.participant,
      transitioned != me
    else { return }
    transitioned = me
    guard !isSpectator else { return }
    // Who comes late joins a film that runs: the answer would only cost them a round trip of it.
    if let playback = around.seat?.session?.playback, !playback.waitingPolicy.waitsForLateJoiners,
      case .playing = playback.timelines[item]?.phase
    {
      anticipated = item
    }
    let command = PlaybackCommand.transition(
      to: item, proposing: nil, duration: player.duration, seekWindow: windowToTell())
    steps.append(.takePlace(.playback(around.seat?.id, command), of: item))
  }

  /// Detaches the player from its timeline and leaves it as it is.
  private mutating func letGo() {
    followed = nil
    answered = nil
    if let clock = around.clock { drive(.timeline(nil, clock: clock)) }
  }

  private mutating func detachPlayer() {
    published = nil
    guard hasPlayer else { return }
    letGo()
    ownSuspensions = OwnSuspensions()
    (isAstray, isOut, transitioned, anticipated) = (false, false, nil, nil)
    drive(.released)
    if pausesAfterSession, isLoaded { steps.append(.order(.carryOut(.pause))) }
  }

  // MARK: Player events

  private mutating func take(_ event: PlayerEvent, of item: ItemID) {
    guard hasPlayer, item == wanted?.item else { return }
    guard isLoaded || event.opens else { return }
    player.note(event)
    switch event {
    case .failed: steps.append(.resume)
    case .position(let place, let moment): report(place, at: moment)
    case .seekWindow(let window): return note(window, of: item)
    default: break
    }
    drive(.player(event))
    if case .position = event { return answerImposed() }
    reportDue = around.now
    if case .seekFinished(let place) = event { report(place, at: around.now) }
    steps.append(.refollow)
  }

  /// Sends the seekable range of live content if it differs from the range last sent.
  private mutating func note(_ window: SeekWindow, of item: ItemID) {
    guard let clock = around.clock else { return }
    let isNews = seekWindow.note(window, at: clock.instant(at: around.now))
    guard isNews, transitioned == around.seat?.participant, transitioned != nil else { return }
    // It replaces what announces the item, if the server has not stored that yet.
    let command = PlaybackCommand.transition(
      to: item, duration: player.duration, seekWindow: windowToTell())
    askPlayback(command, .transition(item))
  }

  private mutating func windowToTell() -> SeekWindow? {
    around.clock.flatMap { seekWindow.tell(at: $0.instant(at: around.now)) }
  }

  /// Reports the position at intervals, and soon after a change.
  private mutating func report(_ place: MediaTime, at moment: HostTime) {
    guard moment >= reportDue, around.isOnline, let clock = around.clock, let item = wanted?.item,
      isOpen(item)
    else { return }
    reportDue = moment + PositionReport.interval
    let report = PositionReport(
      item: item, mediaTime: place, at: clock.instant(at: moment), isPlaying: player.isRunning)
    steps.append(.report(report))
  }

  // MARK: Follower outputs

  private mutating func drive(_ input: Follower.Input) {
    for output in follower.handle(input, at: around.now) { carryOut(output) }
  }

  private mutating func carryOut(_ output: Follower.Output) {
    switch output {
    case .player(let command): order(command)
    case .report(.ready(let seq)): report(ready: seq)
    case .report(.ended(let seq)):
      if let item = wanted?.item { askPlayback(.reportEnd(item, seq: seq), .nobody) }
    case .intent(let intent): carryOut(intent)
    case .suspend(let reason):
      guard around.seat?.isJoined == true, !isSpectator else { return }
      ownSuspensions.begin(reason)
      askPlayback(.suspend(reason), .suspension(reason, of: around.seat?.id))
    case .endSuspension: endOnServer(ownSuspensions.end(standing: standing))
    case .correction(let correction, let error):
      steps.append(.tell(.corrected(correction, error: error)))
    case .status(let error): steps.append(.tell(.drift(error)))
    }
  }

  private mutating func order(_ command: PlayerCommand) {
    if case .seek = command { player.beginSeek() }
    steps.append(.order(.carryOut(command)))
  }

  mutating func askPlayback(_ command: PlaybackCommand, _ asker: Client.Asker) {
    guard let id = around.seat?.id, around.seat?.isJoined == true, !isSpectator else { return }
    steps.append(.ask(.playback(id, command), asker))
  }

  private mutating func carryOut(_ intent: Follower.Intent) {
    guard let item = wanted?.item else { return }
    guard around.isOnline else { return wander(nil) }
    guard !isSpectator else { return steer() }
    askPlayback(intent.command(for: item), .intent)
  }

  private mutating func steer() {
    if let clock = around.clock, let followed { drive(.timeline(followed, clock: clock)) }
  }

  // MARK: Suspensions

  /// Whether a person or the app detached the player, not the follower or the server's barrier.
  private func isDetachedByChoice(in seat: Seat?) -> Bool {
    isAstray || isOut
      || seat?.me?.suspensions.contains { !$0.isImposed && !ownSuspensions.covers($0) } == true
  }

  /// While the connection is down, a person's actions move only this player.
  private mutating func wander(_ command: PlayerCommand?) {
    isAstray = true
    drive(.suspended(true))
    if let command { order(command) }
  }

  private mutating func obey(_ command: PlaybackCommand) {
    if !around.isOnline { wander(nil) }
    switch command {
    case .suspend: stepOut(true)
    case .endSuspension: stepOut(false)
    default: if let own = PlayerCommand(command) { order(own) }
    }
  }

  private mutating func stepOut(_ isOut: Bool) {
    self.isOut = isOut
    drive(.suspended(isDetachedByChoice(in: around.seat)))
    steps.append(.refollow)
  }

  /// Publishes the playback status to the app if it changed.
  private mutating func publishPlayback() {
    guard let item = wanted?.item, let moment = around.clock?.instant(at: around.now),
      let status = Client.PlaybackStatus(of: item, in: around.seat, at: moment, isLoaded: isLoaded),
      status != published
    else { return }
    published = status
    steps.append(.tell(.playback(status)))
  }
}

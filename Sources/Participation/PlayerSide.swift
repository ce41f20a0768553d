import GroupSessions
import Playback
import Vocabulary
import Wire

/// A client's player and the follower that keeps it in step with the group.
///
/// Each input belongs to a ``turn(_:_:)``, which takes the client's state (``Surroundings``) and
/// returns what the client has to do, in order (``Step``).
struct PlayerSide: Equatable, Sendable {
  private var hasPlayer: Bool
  /// Whether this device takes part without a player.
  private(set) var attends: Bool
  private let pausesAfterSession: Bool
  private var follower: Follower
  private var search: MediaSearch
  private var player = PlayerState()
  /// The timeline last given to the follower.
  private var followed: Timeline?
  private var announcement = Announcement()
  private var answers = ReadyAnswers()
  private var pace = PositionPace()
  private var ownSuspensions = OwnSuspensions()
  /// The playback status last published to the app.
  private var published: Client.PlaybackStatus?
  /// Empty between turns.
  private var around = Surroundings()
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
  /// The item that the player was last ordered to open.
  private var item: ItemID? { search.wanted?.item }
  var nextDeadline: HostTime? { hasPlayer ? follower.nextDeadline : nil }
  func expectedPosition(at time: HostTime) -> MediaTime? { follower.expectedPosition(at: time) }

  /// The item that is not yet open here for this participant; `nil` if none is awaited.
  ///
  /// The server accepts commands to an item only from participants who have it open. The app's
  /// commands therefore wait until the server knows that it is open.
  func awaitedItem(as participant: ParticipantID?) -> ItemID? {
    let isSettled = player.isUnplayable || announcement.isMade(for: participant)
    return (hasPlayer || attends) && !isSettled ? item : nil
  }

  /// Whether a command moves only this device's player, because the player is detached.
  func isLocal(_ command: PlaybackCommand, _ around: Surroundings) -> Bool {
    guard around.seat?.isJoined == true else { return false }
    switch command {
    case .play, .pause, .seek, .setRate:
      return hasPlayer && isLoaded
        && (ownSuspensions.isDetachedByChoice(standing: around.standing) || !around.isOnline)
    case .suspend, .endSuspension: return around.isSpectator
    case .transition, .ready, .reportEnd: return false
    }
  }

  /// Handles inputs in the client's present state; returns what the client has to do.
  mutating func turn(_ around: Surroundings, _ body: (inout PlayerSide) -> Void) -> [Step] {
    self.around = around
    defer { (self.around, steps) = (Surroundings(), []) }
    body(&self)
    return steps
  }

  // MARK: The session's activity

  /// Brings player and follower in line with the session.
  mutating func refollow() {
    guard around.seat?.isJoined == true, let session = around.seat?.session else { return }
    guard hasPlayer else { return attend(session) }
    if !around.isSpectator { ownSuspensions.stepOut(false) }
    adopt(session.activity.media)
    announce()
    if let item, around.isCurrent(item) { announcement.settle(item) }
    feed(.suspended(ownSuspensions.isDetachedByChoice(standing: around.standing)))
    let timeline = currentTimeline
    if timeline != followed, let clock = around.clock {
      followed = timeline
      feed(.timeline(timeline, clock: clock))
    }
    answerImposed()
    publishPlayback()
  }

  /// Takes part with the player just attached, or from now on as a device that never has one.
  mutating func setPlayer(isAttached: Bool) {
    if isAttached, attends, around.awaits(item) { askPlayback(.transition(to: nil), .nobody) }
    close()
    endOnServer(ownSuspensions.end(standing: around.standing))
    feed(.released)
    steps.removeAll { if case .order = $0 { true } else { false } }  // for the player before
    (hasPlayer, attends, player) = (isAttached, !isAttached, PlayerState())
    steps.append(.refollow)
  }

  /// Takes part without a player: opens nothing and reports ready at once.
  private mutating func attend(_ session: GroupSession) {
    guard attends else { return }
    if !announcement.isMade(for: around.seat?.participant) { answers.forget() }
    let media = session.activity.media
    if media != search.wanted {
      if media?.item != item { announcement.retract() }
      search.pretend(media)
      player.pretend(isLoaded: media != nil)
      // For the player that is attached after the session, and reaches no media of the server's then.
      let own = media.flatMap { $0.url.hasPrefix(MediaDoor.root) ? nil : $0 }
      steps.append(.order(own.map { .load($0) } ?? .unload))
      if !isLoaded { askPlayback(.transition(to: nil), .nobody) }
    }
    announce()
    if let timeline = currentTimeline { report(ready: timeline.seq) }
    publishPlayback()
  }

  /// The timeline of the open item, once the item is current here or is followed before.
  private var currentTimeline: Timeline? {
    guard isLoaded, let item else { return nil }
    let isHere = around.isCurrent(item) || announcement.anticipates(item)
    return isHere ? around.seat?.session?.playback.timelines[item] : nil
  }

  /// Opens the activity's item.
  private mutating func adopt(_ next: MediaItem?) {
    guard search.needsOpening(next, in: around.seat?.id, isLoaded: isLoaded) else { return }
    close()
    if let next {
      steps.append(search.begin(next, in: around.seat?.id))
    } else {
      steps.append(.order(.unload))
      askPlayback(.transition(to: nil), .nobody)
    }
  }

  /// Tells the server once that the item is open here.
  private mutating func announce() {
    guard isLoaded, let item, let me = around.seat?.participant, !announcement.isMade(for: me)
    else { return }
    announcement.make(for: me)
    guard !around.isSpectator else { return }
    if around.seat?.session?.playback.admitsAtOnce(to: item) == true {
      announcement.anticipate(item)
    }
    let command = PlaybackCommand.transition(
      to: item, proposing: nil, duration: player.duration, seekWindow: windowToTell())
    steps.append(.announce(.playback(around.seat?.id, command), of: item))
  }

  /// Lets the item be announced again, because there was no room for the request.
  mutating func retractAnnouncement() { announcement.retract() }

  /// Handles a refused or unanswered announcement of the item.
  ///
  /// Unanswered, it is repeated, or this participant would count as absent until the item changes.
  mutating func failAnnouncement(_ item: ItemID, _ failure: Client.Failure) {
    announcement.settle(item)
    if failure == .timedOut, item == self.item { announcement.retract() }
    refollow()
  }

  /// Opens the server's media at the address that the server told.
  mutating func open(_ url: String, _ outcome: Client.Outcome) {
    switch search.end(outcome, of: url) {
    case .found(let media): steps.append(.order(.load(media)))
    case .missing(let item): hear(.failed(reason: "no address is known"), of: item)
    case nil: break
    }
  }

  /// Handles that a person who watches alone opened or closed media in the player.
  ///
  /// A session, whether joined already or next, then opens its item, even if it is the one that a
  /// session opened last.
  mutating func losePlayer() {
    guard hasPlayer else { return }
    close()
    steps.append(.refollow)
  }

  /// Opens media again that could not be played here, because the person named a copy of it.
  mutating func tryAgain(with copy: ItemID) {
    if player.isUnplayable, search.wants(copy) { losePlayer() }
  }

  /// Opens it again because the person ended their suspension, which begins anew if it fails again.
  mutating func tryAgain(afterEndOf ended: Suspension) {
    guard player.isUnplayable, ownSuspensions.isTaken(ended) else { return }
    feed(.released)
    losePlayer()
  }

  /// Forgets the item that is open here.
  private mutating func close() {
    letGo()
    search.forget()
    player.open()
    announcement = Announcement()
  }

  /// Detaches the player from its timeline and leaves it as it is.
  private mutating func letGo() {
    followed = nil
    answers.forget()
    if let clock = around.clock { feed(.timeline(nil, clock: clock)) }
  }

  /// Detaches the player because the session is over for this device.
  mutating func detach() {
    published = nil
    ownSuspensions = OwnSuspensions()
    guard hasPlayer else { return }
    letGo()
    announcement.end()
    feed(.released)
    if pausesAfterSession, isLoaded { steps.append(.order(.carryOut(.pause))) }
    // Joining again tries again.
    if player.isUnplayable { close() }
  }

  // MARK: Player events

  /// Handles a player event about this item.
  mutating func hear(_ event: PlayerEvent, of item: ItemID) {
    guard hasPlayer, item == self.item, isLoaded || event.opens else { return }
    player.note(event)
    switch event {
    case .failed(let reason): steps += search.fail(reason) + [.resume]
    case .position(let position, let moment): report(position, at: moment)
    case .seekWindow(let window): return note(window, of: item)
    default: break
    }
    feed(.player(event))
    if case .position = event { return answerImposed() }
    pace.hurry(at: around.now)
    if case .seekFinished(let position) = event { report(position, at: around.now) }
    steps.append(.refollow)
  }

  /// Sends the seekable range of live content if it differs from the range last sent.
  private mutating func note(_ window: SeekWindow, of item: ItemID) {
    guard let moment = around.moment, announcement.note(window, at: moment),
      let me = around.seat?.participant,
      announcement.isMade(for: me)
    else { return }
    // It supersedes the announcement, if that was not sent yet or is to be sent again.
    let command = PlaybackCommand.transition(
      to: item, duration: player.duration, seekWindow: windowToTell())
    askPlayback(command, .transition(item))
  }

  private mutating func windowToTell() -> SeekWindow? {
    around.moment.flatMap { announcement.tellWindow(at: $0) }
  }

  private mutating func report(_ position: MediaTime, at moment: HostTime) {
    guard around.isOnline, let clock = around.clock, let item, around.isCurrent(item),
      pace.allows(at: moment)
    else { return }
    let report = PositionReport(
      item: item, mediaTime: position, at: clock.instant(at: moment), isPlaying: player.isRunning)
    steps.append(.report(report))
  }

  // MARK: Ready reports

  /// Reports ready if this answers a barrier or ends a suspension that the server imposed.
  private mutating func report(ready seq: Int) {
    guard let item, let timeline = currentTimeline,
      let answer = answers.answer(timeline.phase, seq: seq, of: item, standing: around.standing)
    else { return }
    askPlayback(.ready(item, seq: seq, duration: player.duration), .ready(answer))
  }

  /// Ends an imposed suspension once this player can follow; at a barrier the follower does this.
  private mutating func answerImposed() {
    if let timeline = currentTimeline, player.follows(timeline) { report(ready: timeline.seq) }
  }

  /// Reports ready again, because the server did not answer in time and the others may wait for
  /// this participant, unless another report or another event of the timeline came since.
  mutating func reportAgain(_ report: ReadyReport) {
    if answers.takeBack(report), player.isSettled, currentTimeline?.seq == report.seq {
      self.report(ready: report.seq)
    }
  }

  // MARK: The follower

  /// Passes an input to the follower.
  mutating func feed(_ input: Follower.Input) {
    for output in follower.handle(input, at: around.now) { carryOut(output) }
  }

  private mutating func carryOut(_ output: Follower.Output) {
    switch output {
    case .player(let command): order(command)
    case .report(.ready(let seq)): report(ready: seq)
    case .report(.ended(let seq)):
      if let item { askPlayback(.reportEnd(item, seq: seq), .nobody) }
    case .intent(let intent): carryOut(intent)
    case .suspend(let reason):
      guard around.seat?.isJoined == true, !around.isSpectator else { return }
      ownSuspensions.begin(reason)
      askPlayback(.suspend(reason), .suspension(reason, of: around.seat?.id))
    case .endSuspension: endOnServer(ownSuspensions.end(standing: around.standing))
    case .correction(let correction, let error):
      steps.append(.tell(.corrected(correction, error: error)))
    case .status(let error): steps.append(.tell(.drift(error)))
    }
  }

  private mutating func order(_ command: PlayerCommand) {
    if case .seek = command { player.beginSeek() }
    steps.append(.order(.carryOut(command)))
  }

  private mutating func askPlayback(_ command: PlaybackCommand, _ asker: Client.Asker) {
    guard let id = around.seat?.id, around.seat?.isJoined == true, !around.isSpectator else {
      return
    }
    steps.append(.ask(.playback(id, command), asker))
  }

  private mutating func carryOut(_ intent: Follower.Intent) {
    guard let item else { return }
    guard around.isOnline else { return goAstray(nil) }
    guard !around.isSpectator else { return followAgain() }
    askPlayback(intent.command(for: item), .intent)
  }

  /// Returns the player to the group's timeline, for example after the server refused an intent.
  mutating func followAgain() {
    if let clock = around.clock, let followed { feed(.timeline(followed, clock: clock)) }
  }

  // MARK: Suspensions

  /// Takes the number that the server gave to a suspension of the follower; `nil` if it has none.
  mutating func nameSuspension(_ reason: SuspensionReason, _ number: SuspensionID?) {
    guard let number else { return ownSuspensions.drop(reason) }
    endOnServer(ownSuspensions.name(reason, number, standing: around.standing))
  }

  /// Asks again to end a suspension, if it is still open on the server.
  mutating func endAgain(_ suspension: SuspensionID) {
    if around.standing.contains(where: { $0.id == suspension }) { endOnServer(suspension) }
  }

  private mutating func endOnServer(_ suspension: SuspensionID?) {
    guard let suspension else { return }
    askPlayback(.endSuspension(suspension), .endOfSuspension(suspension, of: around.seat?.id))
  }

  /// Detaches the player from the timeline while the connection is down, so that a person's actions
  /// move only this player.
  mutating func goAstray(_ command: PlayerCommand?) {
    ownSuspensions.goAstray()
    feed(.suspended(true))
    if let command { order(command) }
  }

  /// Attaches the player to the timeline again after a reconnection.
  mutating func comeBack() { ownSuspensions.comeBack() }

  /// Carries out a command on this device's player only.
  mutating func carryOutLocally(_ command: PlaybackCommand) {
    if !around.isOnline { goAstray(nil) }
    switch command {
    case .suspend: stepOut(true)
    case .endSuspension: stepOut(false)
    default: if let own = PlayerCommand(command) { order(own) }
    }
  }

  private mutating func stepOut(_ isOut: Bool) {
    ownSuspensions.stepOut(isOut)
    feed(.suspended(ownSuspensions.isDetachedByChoice(standing: around.standing)))
    steps.append(.refollow)
  }

  /// Publishes the playback status to the app if it changed.
  private mutating func publishPlayback() {
    guard let item, let moment = around.moment,
      let status = Client.PlaybackStatus(of: item, in: around.seat, at: moment, isLoaded: isLoaded),
      status != published
    else { return }
    published = status
    steps.append(.tell(.playback(status)))
  }
}

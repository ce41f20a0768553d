import EventLoops
public import GroupSessions
public import Vocabulary
import Wire

/// The usual flow, ready made: one item to play at a time, with the group or alone.
///
/// It receives every session of its activity type, joins it, and updates ``enqueuedMedia`` with the
/// session's item. The app's player shows that item, and a ``PlaybackCoordinator`` of the session
/// keeps the player in step with the group. It works until it is released.
///
/// An app with an activity type of its own names it: `CoordinationManager<FilmNight>(client: client)`.
/// Without one it is about ``MediaItemActivity``.
public actor CoordinationManager<Activity: GroupActivity> {
  /// The item to play here; `nil` for none.
  ///
  /// Equal values are delivered once.
  public nonisolated let enqueuedMedia = Observed<MediaItem?>(nil)
  /// The session that is waiting or joined here; `nil` while the person is alone.
  public nonisolated let session = Observed<GroupSession<Activity>?>(nil)
  /// Why the last session could not be joined; `nil` if it was joined.
  public nonisolated let joinError = Observed<GroupWatchError?>(nil)
  private let client: GroupWatchClient
  private let prompt: (any ActivationPrompt)?
  private let joining: JoinPolicy
  private let busy: BusyPolicy
  private let dismissal: DismissalPolicy?
  /// In a lock only because the initializer sets it after it has captured `self`.
  private nonisolated let arrivals = Locked<[Task<Void, Never>]>([])
  private var follower: Task<Void, Never>?
  /// The latest session that this manager received.
  private var lastSession: SessionID?
  private var wish = WatchWish()
  /// What the person asked to play last.
  private var wanted: Activity?
  /// How many activations the server has not answered yet.
  private var activationCount = 0
  /// The session that the person left meanwhile, and how; it is left after the answers.
  private var abandoned: (session: GroupSession<Activity>, departure: WatchWish.Departure)?
  /// What this person watches alone, also while a session waits for their answer.
  private var alone: Activity?

  /// Starts to receive sessions of an app's own activity type.
  ///
  /// - Parameters:
  ///   - client: the client whose sessions to receive.
  ///   - prompt: asks the person whether to share; without one, everything that can be shared is.
  ///   - joining: when to join a session.
  ///   - busy: what to do if the group has another session, in which this device does not take part.
  ///   - leavesWithMessage: whether the dismissal of the message that hosts a session dismisses the
  ///     session; `nil` leaves it to ``InAppMessageOptions/leavesWithMessage``.
  ///   - dismissalPolicy: what a dismissal does to sessions started here; `nil`: as the server is set.
  public init(
    client: GroupWatchClient, prompt: (any ActivationPrompt)? = nil, joining: JoinPolicy = .atOnce,
    ifBusy busy: BusyPolicy = .fail, leavesWithMessage: Bool? = nil,
    dismissalPolicy: DismissalPolicy? = nil
  ) {
    self.init(client, prompt, joining, busy, leavesWithMessage, dismissalPolicy)
  }

  private init(
    _ client: GroupWatchClient, _ prompt: (any ActivationPrompt)?, _ joining: JoinPolicy,
    _ busy: BusyPolicy, _ leavesWithMessage: Bool?, _ dismissal: DismissalPolicy?
  ) {
    self.client = client
    self.prompt = prompt
    self.joining = joining
    self.busy = busy
    self.dismissal = dismissal
    if let leavesWithMessage { client.inAppMessages.leavesWithMessage = leavesWithMessage }
    let sessions = client.sessions(of: Activity.self)
    let enqueuedMedia = enqueuedMedia
    let current = session
    let problem = joinError
    let desk = client.shared.desk
    let task = Task { [weak self] in
      for await session in sessions { await self?.take(session) }
      enqueuedMedia.finish()
      current.finish()
      problem.finish()
    }
    let messages = [
      follow(desk.sessionSteps) { await $0.obey($1) }, follow(desk.shares) { await $0.share($1) },
      follow(desk.events) { await $0.note($1) },
    ]
    arrivals.withLock { $0 = messages + [task] }
  }

  private nonisolated func follow<Element>(
    _ source: Broadcast<Element>,
    _ body: @escaping @Sendable (CoordinationManager<Activity>, Element) async -> Void
  ) -> Task<Void, Never> {
    let queue = source.listen()
    return Task { [weak self] in
      while let delivery = await queue.next() {
        if let self, case .element(let element) = delivery { await body(self, element) }
      }
    }
  }

  deinit {
    for task in arrivals.withLock({ $0 }) { task.cancel() }
    follower?.cancel()
  }

  /// Plays an activity's media with the group if that is possible and wanted, else alone, or not at
  /// all.
  ///
  /// Alone, the client's own player opens it at the position; an app's own player is attached to
  /// ``GroupWatchClient/player`` by the view that shows it. Sharing it later goes on from there.
  ///
  /// - Parameters:
  ///   - activity: what to play.
  ///   - position: the position at which it starts alone or in a new session, for example where
  ///     this person stopped last night; an existing session keeps its position.
  /// - Returns: what was done. On ``PrepareOutcome/cancelled`` nothing was changed; a call also
  ///   ends this way if the person leaves or dismisses while they are asked.
  /// - Throws: why the session could not be started or joined; the item is not played alone
  ///   instead.
  public func prepareToPlay(
    _ activity: Activity, at position: MediaTime? = nil
  ) async throws(GroupWatchError) -> PrepareOutcome {
    if let session = session.current, activity.isSame(as: session.core.activity.current.value) {
      switch session.state.current {
      case .joined: return .alreadyEnqueued
      case .waiting:
        // A person who asks to play the group's item has agreed to join.
        try await session.join()
        return .alreadyEnqueued
      // Starting a staged activity activates it.
      case .staged, .invalidated: break
      }
    }
    wish.watch(in: session.current?.id)
    wanted = activity
    let advice = try await activity.prepareForActivation(on: client, asking: prompt)
    guard wish.departure == nil else { return .cancelled }
    switch advice {
    case .alreadyActive: return .alreadyEnqueued
    case .updatesSession(let id):
      try await client.ask(.setActivity(id, try activity.value(), ifRevision: nil))
      return .updatedSession(id)
    case .activationDisabled(let reason):
      playAlone(activity, at: position)
      return .local(reason)
    case .activationPreferred: return .activated(try await activate(activity, at: position))
    case .cancelled: return .cancelled
    }
  }

  private func playAlone(_ activity: Activity, at position: MediaTime?) {
    alone = activity
    let item = activity.media
    enqueuedMedia.update(item)
    if let item { client.player.load(item, at: position) }
    client.inAppMessages.logMedia(item)
  }

  private func activate(
    _ activity: Activity, at position: MediaTime?
  ) async throws(GroupWatchError) -> SessionDelivery {
    activationCount += 1
    let outcome: Result<SessionDelivery, GroupWatchError>
    do throws(GroupWatchError) {
      outcome = .success(
        try await activity.activate(
          on: client, ifBusy: busy, at: position, dismissalPolicy: dismissal))
    } catch {
      outcome = .failure(error)
    }
    activationCount -= 1
    if case .success(.here(let id)) = outcome,
      let departure = wish.activated(id), session.current?.id == id
    {
      await clear()?.depart(departure)
    }
    await settleAbandoned()
    return try outcome.get()
  }

  /// Leaves the session that the person left during an activation, or takes it again if they want
  /// to watch it after all.
  private func settleAbandoned() async {
    guard activationCount == 0, let (left, departure) = abandoned else { return }
    abandoned = nil
    let isWanted = wanted?.isSame(as: left.core.activity.current.value) == true
    if wish.departure == nil, isWanted, !left.core.isOver, session.current == nil {
      await take(left)
    } else if session.current?.id != left.id {
      await left.depart(wish.departure ?? departure)
    }
  }

  /// Stops watching: leaves the session, if there is one, and clears ``enqueuedMedia``.
  ///
  /// It is idempotent and can be called at any time: at most one leave request reaches the server.
  /// A session that ``prepareToPlay(_:at:)-(Activity,_)`` started and that has not arrived yet
  /// is left on arrival; a staged one that it activates, once the server has answered.
  public func leave() async { await depart(.leave) }

  /// Dismisses the session, if there is one, and clears ``enqueuedMedia``.
  ///
  /// Call it when the person dismisses the message that hosts the session. It is as safe as
  /// ``leave()`` and publishes in the same order: ``session`` becomes `nil` first, then
  /// ``enqueuedMedia``.
  public func dismiss() async { await depart(.dismiss) }

  private func depart(_ departure: WatchWish.Departure) async {
    wish.depart(departure)
    guard let left = clear() else { return }
    // Declined before the answer, a staged session would be offered anew to whoever activates it.
    if activationCount > 0, !left.core.hasJoined, abandoned == nil {
      abandoned = (left, departure)
    } else {
      await left.depart(departure)
    }
  }

  private func clear() -> GroupSession<Activity>? {
    stopFollowing()
    let left = session.current
    session.set(nil)
    stopAlone()
    enqueuedMedia.update(nil)
    return left
  }

  /// Closes what this person watches alone.
  private func stopAlone() {
    guard alone != nil else { return }
    alone = nil
    client.player.unload()
    client.inAppMessages.logMedia(nil)
  }

  /// Ends what this person watches alone once they have joined the session.
  ///
  /// The session's media takes the player. A session without media opens nothing, so the player is
  /// closed here.
  private func yieldPlayer() {
    guard let joined = session.current, joined.core.hasJoined else { return }
    if joined.media == nil { stopAlone() } else { alone = nil }
  }

  private func stopFollowing() {
    yieldPlayer()
    follower?.cancel()
    follower = nil
  }

  // MARK: In-app messages

  /// Ends the session here when the hosting message was dismissed or the session it showed is over.
  ///
  /// ``session`` is cleared first, then ``enqueuedMedia``.
  private func obey(_ step: MessageDesk.SessionStep) {
    guard lastSession == step.session else { return }
    stopFollowing()
    if session.current != nil { session.set(nil) }
    if step.clearsItem { enqueuedMedia.update(alone?.media) }
  }

  /// Shares with the group what plays here alone, from where it is, at the person's request.
  private func share(_ request: MessageDesk.ShareRequest) async {
    let isWatching = alone?.media?.url == request.item.url
    guard let activity = isWatching ? alone : MediaItemActivity(request.item) as? Activity else {
      return
    }
    do throws(GroupWatchError) {
      _ = try await prepareToPlay(activity, at: isWatching ? request.position : nil)
    } catch {
      joinError.update(error)
    }
  }

  /// Stops what the person watches alone when they dismiss its message.
  private func note(_ event: MessageEvent) {
    guard case .didDismiss(let message, let reason) = event,
      reason.isByPerson || reason == .programmatic, client.inAppMessages.leavesWithMessage,
      message.session == nil, let video = message.video, video.url == alone?.media?.url
    else { return }
    if case .action(let id?) = reason,
      message.button(id)?.clickAction.leaves.contains(.session(.startForAll)) == true
    {
      return
    }
    stopAlone()
    enqueuedMedia.update(session.current?.media)
  }

  /// Replaces the previous session, which is over by then, with the next one.
  private func take(_ next: GroupSession<Activity>) async {
    if let departure = wish.came(next.id) { return await next.depart(departure) }
    stopFollowing()
    lastSession = next.id
    session.set(next)
    joinError.update(nil)
    let activities = next.core.activity.values
    let states = next.state.values
    follower = Task { [weak self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await activity in activities { await self?.enqueue(activity.value.media, of: next) }
        }
        group.addTask {
          // A staged session is joined once activated; the wait for that does not hold the manager.
          for await state in next.state.values where state != .staged { break }
          await self?.join(next)
        }
        for await state in states {
          await self?.yieldPlayer()
          if case .invalidated = state { break }
        }
        await self?.release(next)
        group.cancelAll()
      }
    }
  }

  private func enqueue(_ item: MediaItem?, of owner: GroupSession<Activity>) {
    guard session.current === owner else { return }
    enqueuedMedia.update(item)
  }

  private func join(_ next: GroupSession<Activity>) async {
    guard joining == .atOnce || next.isLocallyInitiated, next.state.current == .waiting else {
      return
    }
    do throws(GroupWatchError) {
      try await next.join()
    } catch {
      if session.current === next { joinError.update(error) }
    }
  }

  /// Clears ``session`` when it is over; the enqueued item stays and plays alone.
  ///
  /// If the person did not join, what they have watched alone meanwhile is enqueued again.
  private func release(_ over: GroupSession<Activity>) {
    guard session.current === over else { return }
    session.set(nil)
    if let alone { enqueuedMedia.update(alone.media) }
  }
}

extension CoordinationManager where Activity == MediaItemActivity {
  /// Starts to receive the sessions of media items.
  ///
  /// - Parameters: as for an app's own activity type.
  public init(
    client: GroupWatchClient, prompt: (any ActivationPrompt)? = nil, joining: JoinPolicy = .atOnce,
    ifBusy busy: BusyPolicy = .fail, leavesWithMessage: Bool? = nil,
    dismissalPolicy: DismissalPolicy? = nil
  ) {
    self.init(client, prompt, joining, busy, leavesWithMessage, dismissalPolicy)
  }

  /// Plays an item with the group if that is possible and wanted, else alone, or not at all.
  ///
  /// - Parameters: as of `prepareToPlay` with an activity.
  public func prepareToPlay(
    _ item: MediaItem, at position: MediaTime? = nil
  ) async throws(GroupWatchError) -> PrepareOutcome {
    try await prepareToPlay(MediaItemActivity(item), at: position)
  }
}

extension GroupSession {
  fileprivate func depart(_ departure: WatchWish.Departure) async {
    switch departure {
    case .leave: await leave()
    case .dismiss: await dismiss()
    }
  }
}

/// When a ``CoordinationManager`` joins a session.
public enum JoinPolicy: Hashable, Sendable {
  /// As soon as it receives the session.
  case atOnce
  /// Sessions of others never by itself: the app calls ``GroupSession/join()`` once the person has
  /// agreed, or once it can show the media. A session that this device starts, or activates if it
  /// was staged, is joined at once.
  case byApp
}

/// The result of ``CoordinationManager/prepareToPlay(_:at:)-(Activity,_)``.
public enum PrepareOutcome: Hashable, Sendable {
  /// The group is watching this item already, and this device has joined it.
  case alreadyEnqueued
  /// The current session was changed to this item.
  case updatedSession(SessionID)
  /// The item plays here, alone; ``CoordinationManager/enqueuedMedia`` has it.
  case local(DisabledReason)
  /// A session was started; the item is enqueued when the session arrives.
  case activated(SessionDelivery)
  /// The person chose neither to share nor to play alone; nothing was changed.
  case cancelled
}

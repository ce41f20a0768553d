import EventLoops
public import GroupSessions
public import Vocabulary
import Wire

/// The usual flow, ready made: one thing to play at a time, with the group or alone.
///
/// It takes every session of a ``MediaItemActivity`` that comes, joins it, and keeps
/// ``enqueuedMedia`` with what the session is about. A player of the app's shows that item; a
/// ``PlaybackCoordinator`` of the session keeps it with the group. It works until it is let go.
public actor CoordinationManager {
  /// What is to be played here; `nil` for nothing.
  ///
  /// Equal values are told once.
  public nonisolated let enqueuedMedia = Observed<MediaItem?>(nil)
  /// The session that waits or goes on here; `nil` while the person is alone.
  public nonisolated let session = Observed<GroupSession<MediaItemActivity>?>(nil)
  /// Why the last session could not be joined; `nil` if it could.
  public nonisolated let joinError = Observed<GroupWatchError?>(nil)
  private let client: GroupWatchClient
  private let prompt: (any ActivationPrompt)?
  private let joining: JoinPolicy
  /// Under a lock only because an actor that is being made is nobody's yet.
  private nonisolated let arrivals = Locked<[Task<Void, Never>]>([])
  private var follower: Task<Void, Never>?
  /// The session that came last.
  private var lastSession: SessionID?
  private var wish = WatchWish()

  /// Begins to take sessions.
  ///
  /// - Parameters:
  ///   - client: the client whose sessions they are.
  ///   - prompt: asks the person whether to share; without one, what can be shared is.
  ///   - joining: when a session that comes is joined.
  public init(
    client: GroupWatchClient, prompt: (any ActivationPrompt)? = nil, joining: JoinPolicy = .atOnce
  ) {
    self.client = client
    self.prompt = prompt
    self.joining = joining
    let sessions = client.sessions(of: MediaItemActivity.self)
    let enqueuedMedia = enqueuedMedia
    let current = session
    let desk = client.shared.desk
    let task = Task { [weak self] in
      for await session in sessions { await self?.take(session) }
      enqueuedMedia.finish()
      current.finish()
    }
    let messages = [
      follow(desk.sessionSteps) { await $0.obey($1) }, follow(desk.shares) { await $0.share($1) },
      follow(desk.events) { await $0.note($1) },
    ]
    arrivals.withLock { $0 = messages + [task] }
  }

  private nonisolated func follow<Element>(
    _ source: Broadcast<Element>,
    _ body: @escaping @Sendable (CoordinationManager, Element) async -> Void
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

  /// Plays an item with the group if that can be and is wanted, else alone, or not at all.
  ///
  /// - Parameters:
  ///   - item: what to play.
  ///   - place: where it stands at first with the group, such as where this person stopped last night,
  ///     or is alone; what the group watches already stays where it is.
  /// - Returns: what became of it; on ``PrepareOutcome/cancelled`` nothing was changed. That is also
  ///   how it ends if the person leaves or dismisses while they are asked.
  /// - Throws: why it could not be started with the group; it is not played alone instead.
  public func prepareToPlay(
    _ item: MediaItem, at place: MediaTime? = nil
  ) async throws(GroupWatchError) -> PrepareOutcome {
    let activity = MediaItemActivity(item)
    if let session = session.current, !session.core.isOver, session.activity == activity {
      return .alreadyEnqueued
    }
    wish.watch()
    let advice = try await activity.prepareForActivation(on: client, asking: prompt)
    guard wish.departure == nil else { return .cancelled }
    switch advice {
    case .alreadyActive: return .alreadyEnqueued
    case .updatesSession(let id):
      try await client.ask(.setActivity(id, try activity.value(), ifRevision: nil))
      return .updatedSession(id)
    case .activationDisabled(let reason):
      enqueuedMedia.update(item)
      client.inAppMessages.logMedia(item)
      return .local(reason)
    case .activationPreferred: return .activated(try await activate(activity, at: place))
    case .cancelled: return .cancelled
    }
  }

  private func activate(
    _ activity: MediaItemActivity, at place: MediaTime?
  ) async throws(GroupWatchError) -> SessionDelivery {
    let delivery = try await activity.activate(on: client, at: place)
    if case .here(let id) = delivery,
      let departure = wish.activated(id, hasCome: lastSession == id), session.current?.id == id
    {
      await clear()?.depart(departure)
    }
    return delivery
  }

  /// Stops watching: leaves the session, if there is one, then forgets what was enqueued.
  ///
  /// Safe at any time, any number of times: at most one leave reaches the server. A session that
  /// ``prepareToPlay(_:at:)`` started and that is still on its way is left when it comes.
  public func leave() async { await depart(.leave) }

  /// The person dismissed the message that hosts the watching: dismisses the session, if there is
  /// one, then forgets what was enqueued.
  ///
  /// As safe as ``leave()``, and told in the same order: first there is no session, then no item.
  public func dismiss() async { await depart(.dismiss) }

  private func depart(_ departure: WatchWish.Departure) async {
    wish.depart(departure)
    await clear()?.depart(departure)
  }

  private func clear() -> GroupSession<MediaItemActivity>? {
    let left = session.current
    follower?.cancel()
    follower = nil
    session.set(nil)
    enqueuedMedia.update(nil)
    return left
  }

  // MARK: In-app messages

  /// The message that hosts the watching was dismissed, or the session it showed is over: first there
  /// is no session, then nothing to watch.
  private func obey(_ step: MessageDesk.SessionStep) {
    guard lastSession == step.session else { return }
    follower?.cancel()
    follower = nil
    if session.current != nil { session.set(nil) }
    if step.clearsItem { enqueuedMedia.update(nil) }
  }

  /// A person wants to watch what plays here alone with the group.
  private func share(_ item: MediaItem) async {
    do throws(GroupWatchError) {
      _ = try await prepareToPlay(item)
    } catch {
      joinError.update(error)
    }
  }

  /// Whoever dismisses what they watch alone watches nothing.
  private func note(_ event: MessageEvent) {
    guard case .didDismiss(let message, let reason) = event, reason.isByPerson,
      message.session == nil, session.current == nil,
      let video = message.video, video.url == enqueuedMedia.current?.url
    else { return }
    if case .action(let id?) = reason,
      message.button(id)?.clickAction.leaves.contains(.session(.startForAll)) == true
    {
      return
    }
    enqueuedMedia.update(nil)
  }

  /// A session that comes takes the place of the one before, which is over by then.
  private func take(_ next: GroupSession<MediaItemActivity>) async {
    if let departure = wish.came(next.id) { return await next.depart(departure) }
    follower?.cancel()
    lastSession = next.id
    session.set(next)
    joinError.update(nil)
    let activities = next.activities
    let states = next.state.values
    follower = Task { [weak self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await activity in activities { await self?.enqueue(activity.mediaItem, of: next) }
        }
        group.addTask { await self?.join(next) }
        for await state in states {
          if case .invalidated = state { break }
        }
        await self?.release(next)
        group.cancelAll()
      }
    }
  }

  private func enqueue(_ item: MediaItem, of owner: GroupSession<MediaItemActivity>) {
    guard session.current === owner else { return }
    enqueuedMedia.update(item)
  }

  private func join(_ next: GroupSession<MediaItemActivity>) async {
    guard joining == .atOnce else { return }
    // What is only staged is joined when somebody has activated it.
    for await state in next.state.values where state != .staged { break }
    guard next.state.current == .waiting else { return }
    do throws(GroupWatchError) {
      try await next.join()
    } catch {
      if session.current === next { joinError.update(error) }
    }
  }

  /// The session is over: what is enqueued stays, and is played alone.
  private func release(_ over: GroupSession<MediaItemActivity>) {
    if session.current === over { session.set(nil) }
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

/// When a ``CoordinationManager`` joins a session that comes.
public enum JoinPolicy: Hashable, Sendable {
  /// As soon as it comes.
  case atOnce
  /// Not by itself: the app calls ``GroupSession/join()`` once it can show the media, so that nobody
  /// takes part who sees nothing.
  case byApp
}

/// What became of a wish to play something; see ``CoordinationManager/prepareToPlay(_:at:)``.
public enum PrepareOutcome: Hashable, Sendable {
  /// The group watches this very item already.
  case alreadyEnqueued
  /// The session that goes on here is about this item now.
  case updatedSession(SessionID)
  /// It is to be played here, alone; ``CoordinationManager/enqueuedMedia`` has it.
  case local(DisabledReason)
  /// A session was started; the item is enqueued when the session comes.
  case activated(SessionDelivery)
  /// The person wants neither: nothing was changed.
  case cancelled
}

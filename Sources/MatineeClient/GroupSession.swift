import EventLoops
public import GroupSessions
public import Vocabulary
import Wire

/// One group doing one activity; the counterpart of GroupActivities' `GroupSession`.
///
/// It starts as waiting. ``join()`` takes part, ``leave()`` leaves on this device only, and
/// ``end()`` ends it for everyone. It is invalidated exactly once and does not change after that; a
/// rejoin creates another object. Requests of an invalidated session fail with
/// ``GroupWatchError/Code/invalidated``.
public final class GroupSession<Activity: GroupActivity>: Sendable, Identifiable {
  let core: SessionCore
  let client: GroupWatchClient
  /// The latest activity that this app could decode.
  private let latest: Locked<(revision: Int, activity: Activity)>

  init?(_ core: SessionCore, _ client: GroupWatchClient) {
    let current = core.activity.current
    guard let activity = Activity(current.value) else { return nil }
    self.core = core
    self.client = client
    latest = Locked((current.revision, activity))
  }

  /// The session's identifier, which is never reused.
  public var id: SessionID { core.id }

  /// The person and device that started the session, or that activated it if it was staged.
  public var initiator: Identity { core.initiator.current }

  /// Whether this device started the session, or activated it if it was staged.
  public var isLocallyInitiated: Bool { core.isLocallyInitiated }

  /// The session's state on this device.
  public var state: Observed<SessionState> { core.state }

  /// The current activity.
  ///
  /// If it comes from another version of the app and cannot be decoded here, this is the last one that
  /// was read here before. When the queue moves on, the activity stays and ``media`` changes.
  public var activity: Activity {
    latest.decode(core.activity.current) ?? latest.withLock { $0.activity }
  }

  /// The media that is on, with the queue; `nil` for none.
  public var media: MediaItem? { core.activity.current.value.media }

  /// The current activity, then each change; activities that this app cannot decode are left out.
  public var activities: some AsyncSequence<Activity, Never> & Sendable {
    core.activity.values.compactMap { [latest] in latest.decode($0) }
  }

  /// The current activity and its changes, with who made each change and its revision.
  ///
  /// ``update(activity:ifRevision:)`` takes the revision.
  public var activityChanges: some AsyncSequence<ActivityChange<Activity>, Never> & Sendable {
    core.activity.values.compactMap { [latest] change in
      latest.decode(change).map {
        ActivityChange(activity: $0, revision: change.revision, by: change.by)
      }
    }
  }

  /// The activity's current revision, for ``update(activity:ifRevision:)``.
  public var revision: Int { core.activity.current.revision }

  /// All participants that have joined, including this device and keepers.
  ///
  /// Leave keepers out of lists for people (``Participant/isKeeper``).
  public var activeParticipants: Observed<Set<Participant>> { core.participants }

  /// How many people have joined: a person on two devices counts once, a keeper does not count.
  public var peopleCount: Int { core.participants.current.peopleCount }

  /// Participants that join, leave or change, from now on.
  ///
  /// The backlog holds 256 changes for a slow reader; ``ParticipantChange/missed(_:)`` reports a
  /// gap.
  public var participantChanges: AsyncStream<ParticipantChange> {
    core.changes.stream { .missed($0) }
  }

  /// How many watch as the audience, told once a second at most.
  ///
  /// Whoever joins a session that began with `hasAudience` when its named places are taken is a
  /// spectator, and no participant.
  public var audience: Observed<AudienceSize> { core.audience }

  /// Whether this device has joined as one of the audience: it watches, and may neither steer nor
  /// speak.
  public var isSpectator: Bool {
    core.state.current == .joined && core.local.current == nil
  }

  /// This device's participant; `nil` until it has joined, and for a spectator.
  public var localParticipant: Participant? { core.local.current }

  /// Who controls playback, when the group waits, and what a dismissal does.
  public var policies: Observed<SessionPolicies> { core.policies }

  /// The queue of previous, current and next media; empty for an activity without media.
  public var queue: SharedQueue { SharedQueue(core, client) }

  // MARK: Coming and going

  /// Joins the session; a staged session must be activated first.
  ///
  /// - Throws: ``GroupWatchError/Code/invalidated`` if the session is over for this device, also if
  ///   a concurrent ``leave()`` reached the client's thread first.
  public func join() async throws(GroupWatchError) {
    try await client.join(core)
  }

  /// Declines the session: it is invalidated as declined and not offered to this device again.
  ///
  /// The call does nothing after joining or invalidation; see ``leave()``.
  public func decline() async throws(GroupWatchError) {
    do throws(GroupWatchError) {
      try await ask(.decline(id))
    } catch {
      // After invalidation there is nothing to decline.
      guard error.code == .invalidated else { throw error }
    }
  }

  /// Leaves the session on this device; the others continue.
  ///
  /// Before joining, it declines. It is idempotent and can be called at any time.
  public func leave() async {
    do throws(GroupWatchError) {
      try await ask(.leave(id))
    } catch {
      // The session is over for this device anyway: the connection or the session ended first.
    }
  }

  /// Dismisses the session: it is over for this device at once.
  ///
  /// Call it when the person dismisses the message that hosts the session. The session's
  /// ``DismissalPolicy`` decides whether it ends for the others, too. Do not call it when the
  /// message is only covered, replaced by another one or redrawn. Before joining, it declines. It
  /// is idempotent and can be called at any time, also before or after ``leave()``: at most one of
  /// the two requests reaches the server.
  public func dismiss() async {
    do throws(GroupWatchError) {
      try await ask(.dismiss(id))
    } catch {
      // The session is over for this device anyway: the connection or the session ended first.
    }
  }

  /// Ends the session for everyone.
  public func end() async throws(GroupWatchError) {
    try await ask(.end(id))
  }

  /// Replaces the activity for everyone; the last value that the server receives wins.
  ///
  /// - Parameters:
  ///   - activity: the new activity.
  ///   - revision: if given, the change fails with ``GroupWatchError/Code/conflict`` when the
  ///     activity has changed since that revision.
  public func update(
    activity: Activity, ifRevision revision: Int? = nil
  ) async throws(GroupWatchError) {
    try await ask(.setActivity(id, try activity.value(), ifRevision: revision))
  }
}

extension Locked {
  /// Decodes an activity, and keeps it if it is the latest; `nil` if this app cannot decode it.
  fileprivate func decode<Activity: GroupActivity>(_ change: SessionCore.Activity) -> Activity?
  where Value == (revision: Int, activity: Activity) {
    guard let activity = Activity(change.value) else { return nil }
    withLock { if change.revision >= $0.revision { $0 = (change.revision, activity) } }
    return activity
  }
}

/// The state of a session on this device.
public enum SessionState: Hashable, Sendable {
  /// It is attached to the group; any member can call ``GroupSession/activateStaged()``.
  case staged
  /// It is active, and this device has not joined.
  case waiting
  /// This device takes part.
  case joined
  /// It is over for this device, for this reason; a rejoin creates another object.
  case invalidated(InvalidationReason)
}

/// An activity, and who set it.
public struct ActivityChange<Activity: GroupActivity>: Equatable, Sendable {
  /// The activity from now on.
  public let activity: Activity
  /// The revision: how many times anyone has changed the activity.
  public let revision: Int
  /// Who changed it; `nil` on joining, and when the queue advanced automatically.
  public let by: ParticipantID?
}

extension GroupSession {
  /// Turns a staged activity into a session that everyone may join; any member may call it.
  public func activateStaged() async throws(GroupWatchError) {
    try await ask(.activateStaged(id))
  }

  /// Withdraws a staged activity; only the person who staged it may.
  public func withdraw() async throws(GroupWatchError) {
    try await ask(.withdraw(id))
  }
}

extension GroupSession {
  /// Sends a request about this session, unless it is over for this device.
  ///
  /// A rejoin has another object with the same identifier, which this object must not affect.
  @discardableResult
  func ask(_ request: Request) async throws(GroupWatchError) -> Answer {
    try await client.ask(request, of: core)
  }
}

extension GroupSession {
  /// The sessions of one activity type, each once; see GroupActivities' `GroupSession.Sessions`.
  public struct Sessions: AsyncSequence, Sendable {
    /// The iterator of a `for await` loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private weak var client: GroupWatchClient?
      private var lists: AsyncStream<[SessionCore]>.AsyncIterator
      private var waiting: [SessionCore] = []
      /// By object, not by identifier: a session that was left and joined again is a new object.
      private var known: [SessionCore] = []

      init(client: GroupWatchClient?, lists: AsyncStream<[SessionCore]>) {
        self.client = client
        self.lists = lists.makeAsyncIterator()
      }

      /// Returns the next session that is not over; `nil` once the client is closed.
      public mutating func next() async -> GroupSession? {
        await next(isolation: #isolation)
      }

      /// Returns the next session, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> GroupSession? {
        while true {
          while !waiting.isEmpty {
            let core = waiting.removeFirst()
            if let client, !core.isOver, let session = GroupSession(core, client) {
              return session
            }
          }
          guard let list = await lists.next(isolation: actor) else { return nil }
          waiting = list.filter { core in !known.contains { $0 === core } }
          known = list
        }
      }
    }

    private let lists: Observed<[SessionCore]>
    private weak let client: GroupWatchClient?

    init(client: GroupWatchClient) {
      self.client = client
      lists = client.shared.sessions
    }

    /// Makes an iterator that begins with the sessions that are waiting or joined now.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(client: client, lists: lists.values)
    }
  }
}

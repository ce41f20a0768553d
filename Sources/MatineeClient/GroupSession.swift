public import GroupSessions
import Playback
public import Vocabulary
import Wire

/// One group doing one activity: GroupActivities' `GroupSession`.
///
/// It begins waiting; ``join()`` takes part, ``leave()`` is only for this device, ``end()`` for all.
/// It is invalidated exactly once, and nothing happens after that; a rejoin is another object.
public final class GroupSession<Activity: GroupActivity>: Sendable, Identifiable {
  let core: SessionCore
  let client: GroupWatchClient
  private let first: Activity

  init?(_ core: SessionCore, _ client: GroupWatchClient) {
    guard let first = Activity(core.activity.current.value) else { return nil }
    self.core = core
    self.client = client
    self.first = first
  }

  /// Names the session; never used again after it ended.
  public var id: SessionID { core.id }

  /// Who started it, or activated it if somebody else had staged it.
  public var initiator: Identity { core.initiator.current }

  /// Whether this device started it, or activated it if somebody else had staged it.
  public var isLocallyInitiated: Bool { core.isLocallyInitiated }

  /// Where the session stands for this device.
  public var state: Observed<SessionState> { core.state }

  /// What everyone does now.
  public var activity: Activity { Activity(core.activity.current.value) ?? first }

  /// What everyone does, and will do; changes that this app cannot read are left out.
  public var activities: some AsyncSequence<Activity, Never> & Sendable {
    core.activity.values.compactMap { Activity($0.value) }
  }

  /// The same, with who changed it and the revision that ``update(activity:ifRevision:)`` takes.
  public var activityChanges: some AsyncSequence<ActivityChange<Activity>, Never> & Sendable {
    core.activity.values.compactMap { change in
      Activity(change.value).map {
        ActivityChange(activity: $0, revision: change.revision, by: change.by)
      }
    }
  }

  /// The activity's changes so far, for ``update(activity:ifRevision:)``.
  public var revision: Int { core.activity.current.revision }

  /// Who has joined, this device too, and keepers; lists for people leave those out
  /// (``Participant/isKeeper``).
  public var activeParticipants: Observed<Set<Participant>> { core.participants }

  /// How many people have joined: one on two devices is one, a keeper is none.
  public var peopleCount: Int { core.participants.current.peopleCount }

  /// Who comes and goes from now on; 256 of them wait for a slow reader, who is told of a gap by
  /// ``ParticipantChange/missed(_:)``.
  public var participantChanges: AsyncStream<ParticipantChange> {
    core.changes.stream { .missed($0) }
  }

  /// This device's stay; `nil` until it joined.
  public var localParticipant: Participant? { core.local.current }

  /// Who steers, for whom the group waits, and what a dismissal does.
  public var policies: Observed<SessionPolicies> { core.policies }

  /// What is watched, was watched and comes, where the activity has media.
  public var queue: SharedQueue { SharedQueue(core, client) }

  // MARK: Coming and going

  /// Takes part; a session that is only staged has to be activated first.
  ///
  /// - Throws: ``GroupWatchError/Code/invalidated`` if it is over for this device, also by a
  ///   ``leave()`` that was called later and came first.
  public func join() async throws(GroupWatchError) {
    try await client.join(core)
  }

  /// Says that this device will not come: it is invalidated as declined, and offered no more.
  ///
  /// Once it takes part, or is over, this does nothing: see ``leave()``.
  public func decline() async throws(GroupWatchError) {
    try await client.ask(.decline(id))
  }

  /// Leaves; others go on.
  ///
  /// Before joining it declines. Safe at any time, any number of times.
  public func leave() async {
    do throws(GroupWatchError) {
      try await client.ask(.leave(id))
    } catch {
      // It is over for this device all the same: the connection or the session went first.
    }
  }

  /// The person dismissed the message that hosts the watching: it is over for this device at once,
  /// and the session's ``DismissalPolicy`` says whether for the others, too.
  ///
  /// Not for a message that is only covered, replaced by another one or drawn anew. Before joining
  /// it declines. Safe at any time, any number of times, and before or after ``leave()``: at most one
  /// of them reaches the server.
  public func dismiss() async {
    do throws(GroupWatchError) {
      try await client.ask(.dismiss(id))
    } catch {
      // It is over for this device all the same: the connection or the session went first.
    }
  }

  /// Ends the session for everyone.
  public func end() async throws(GroupWatchError) {
    try await client.ask(.end(id))
  }

  /// Replaces what everyone does; the last value the server gets wins.
  ///
  /// - Parameters:
  ///   - activity: what to do from now on.
  ///   - revision: if given, the change is refused with ``GroupWatchError/Code/conflict`` when
  ///     somebody else changed the activity since that revision.
  public func update(
    activity: Activity, ifRevision revision: Int? = nil
  ) async throws(GroupWatchError) {
    try await client.ask(.setActivity(id, try activity.value(), ifRevision: revision))
  }
}

/// Where a session stands for this device.
public enum SessionState: Hashable, Sendable {
  /// It is attached to the group, and waits for any member to call
  /// ``GroupSession/activateStaged()``.
  case staged
  /// It waits for this device to join.
  case waiting
  /// This device takes part.
  case joined
  /// It is over for this device, for this reason; a rejoin is another object.
  case invalidated(InvalidationReason)
}

/// What everyone does from now on, and who brought it about.
public struct ActivityChange<Activity: GroupActivity>: Equatable, Sendable {
  /// What everyone does.
  public let activity: Activity
  /// How often it was changed, by anyone.
  public let revision: Int
  /// Who changed it; `nil` on joining, and where the queue went on by itself.
  public let by: ParticipantID?
}

extension GroupSession {
  /// Turns a staged activity into a session that everyone may join; any member of the group may.
  public func activateStaged() async throws(GroupWatchError) {
    try await client.ask(.activateStaged(id))
  }

  /// Takes a staged activity back; only whoever staged it may.
  public func withdraw() async throws(GroupWatchError) {
    try await client.ask(.withdraw(id))
  }
}

import GroupSessions
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

  /// Whether this device started it.
  public var isLocallyInitiated: Bool { core.isLocallyInitiated }

  /// Where the session stands for this device.
  public var state: Observed<SessionState> { core.state }

  /// What everyone does now.
  public var activity: Activity { Activity(core.activity.current.value) ?? first }

  /// What everyone does, and will do; changes that this app cannot read are left out.
  public var activities: some AsyncSequence<Activity, Never> & Sendable {
    core.activity.values.compactMap { Activity($0.value) }
  }

  /// Who has joined, this device too.
  public var activeParticipants: Observed<Set<Participant>> { core.participants }

  /// Who comes and goes from now on.
  public var participantChanges: AsyncStream<ParticipantChange> { core.changes.elements }

  /// This device's stay; `nil` until it joined.
  public var localParticipant: Participant? { core.local.current }

  /// What people did, in words, such as "Ann paused".
  public var notices: AsyncStream<String> { core.notices.elements }

  /// What is to be watched.
  public var queue: Observed<[QueueEntry]> { core.queue }

  /// Takes part.
  public func join() async throws(GroupWatchError) {
    try await client.ask(.join(id, handoffFrom: nil))
  }

  /// Leaves; others go on.
  ///
  /// Safe at any time, any number of times.
  public func leave() async {
    do throws(GroupWatchError) {
      try await client.ask(.leave(id))
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

  /// The activity's changes so far, for ``update(activity:ifRevision:)``.
  public var revision: Int { core.activity.current.revision }

  /// Puts media at the end of the queue, or right behind what is on.
  public func enqueue(_ media: [MediaItem], playNext: Bool = false) async throws(GroupWatchError) {
    let items = media.map(\.value)
    try await client.ask(.queue(id, .insert(items, at: playNext ? .next : .end)))
  }

  /// Everyone goes on to the next entry.
  public func skip() async throws(GroupWatchError) {
    try await client.ask(.queue(id, .next))
  }

  /// Everyone goes on to that entry.
  public func select(_ entry: EntryID) async throws(GroupWatchError) {
    try await client.ask(.queue(id, .select(entry)))
  }

  /// Sets when the group waits for someone.
  public func setWaitingPolicy(_ policy: WaitingPolicy) async throws(GroupWatchError) {
    try await client.ask(.setWaitingPolicy(id, policy.value))
  }
}

public import GroupSessions
import Playback
public import Vocabulary
import Wire

/// The queue of a session, which everyone sees and, where the ``ControlPolicy`` lets them, changes.
///
/// Entries are named by identifiers that are never used again, so a change never hits the wrong one.
public struct SharedQueue: Sendable {
  private let core: SessionCore
  private let client: GroupWatchClient

  init(_ core: SessionCore, _ client: GroupWatchClient) {
    self.core = core
    self.client = client
  }

  /// The queue as it is, and becomes.
  public var state: Observed<QueueState> { core.queue }

  /// Puts media behind all others.
  public func add(_ media: MediaItem...) async throws(GroupWatchError) {
    try await insert(media, at: .end)
  }

  /// Puts media right behind what is on.
  public func insertNext(_ media: MediaItem...) async throws(GroupWatchError) {
    try await insert(media, at: .next)
  }

  /// Puts media right behind an entry.
  public func insert(_ media: MediaItem..., after entry: EntryID) async throws(GroupWatchError) {
    try await insert(media, at: .after(entry))
  }

  /// Moves an entry right behind another one, or, without one, right behind what is on.
  public func move(
    _ entry: EntryID, after other: EntryID? = nil
  ) async throws(GroupWatchError) {
    try await ask(.move(entry, to: other.map { .after($0) } ?? .next))
  }

  /// Moves an entry behind all others.
  public func moveToEnd(_ entry: EntryID) async throws(GroupWatchError) {
    try await ask(.move(entry, to: .end))
  }

  /// Takes an entry out; if it is on, everyone goes on to the next one.
  public func remove(_ entry: EntryID) async throws(GroupWatchError) {
    try await ask(.remove(entry))
  }

  /// Takes out all but what is on.
  public func clear() async throws(GroupWatchError) {
    try await ask(.clear)
  }

  /// Everyone goes on to that entry.
  public func select(_ entry: EntryID) async throws(GroupWatchError) {
    try await ask(.select(entry))
  }

  /// Everyone goes on to the next entry; where somebody else just did so, once is enough.
  public func next() async throws(GroupWatchError) {
    try await ask(.next(from: state.current.current))
  }

  /// Everyone goes back to the entry before; where somebody else just did so, once is enough.
  public func previous() async throws(GroupWatchError) {
    try await ask(.previous(from: state.current.current))
  }

  /// Sets what follows an entry.
  public func setRepeatMode(_ mode: RepeatMode) async throws(GroupWatchError) {
    try await ask(.setRepeat(mode))
  }

  /// Draws the order of what is not on by lot, or puts the people's own order back.
  public func setShuffled(_ isShuffled: Bool) async throws(GroupWatchError) {
    // The seed is the server's to choose; what stands here does not travel.
    try await ask(isShuffled ? .shuffle(seed: 0) : .unshuffle)
  }

  /// Sets whether the next entry starts by itself when one ends.
  public func setAutoAdvancing(_ isAutoAdvancing: Bool) async throws(GroupWatchError) {
    try await ask(.setAutoAdvance(isAutoAdvancing))
  }

  private func insert(
    _ media: [MediaItem], at place: QueuePosition
  ) async throws(GroupWatchError) {
    guard !media.isEmpty else { return }
    try await ask(.insert(media, at: place))
  }

  private func ask(_ command: QueueCommand) async throws(GroupWatchError) {
    try await client.ask(.queue(core.id, command))
  }
}

/// What a group watches, what it watched, and what comes.
public struct QueueState: Hashable, Sendable {
  /// The entries, in the order they come.
  public let entries: [QueueEntry]
  /// The entry that is on; `nil` if what is on stands in none.
  public let current: EntryID?
  /// What follows an entry.
  public let repeatMode: RepeatMode
  /// Whether the order was drawn by lot.
  public let isShuffled: Bool
  /// Whether the next entry starts by itself when one ends.
  public let isAutoAdvancing: Bool

  /// The entry that is on.
  public var currentEntry: QueueEntry? { entries.first { $0.id == current } }

  init(_ queue: GroupSessions.Queue) {
    entries = queue.entries
    current = queue.current
    repeatMode = queue.repeatMode
    isShuffled = queue.unshuffledOrder != nil
    isAutoAdvancing = queue.isAutoAdvancing
  }
}

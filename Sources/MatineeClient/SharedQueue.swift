public import GroupSessions
public import Vocabulary
import Wire

/// A session's queue, which everyone sees, and which those can change whom the ``ControlPolicy``
/// allows.
///
/// An entry's identifier is never reused, so a command never affects a wrong entry.
public struct SharedQueue: Sendable {
  private let core: SessionCore
  private let client: GroupWatchClient

  init(_ core: SessionCore, _ client: GroupWatchClient) {
    self.core = core
    self.client = client
  }

  /// The current queue and its changes.
  public var state: Observed<QueueState> { core.queue }

  /// Appends media to the end of the queue.
  public func add(_ media: MediaItem...) async throws(GroupWatchError) {
    try await insert(media, at: .end)
  }

  /// Inserts media after the current entry.
  public func insertNext(_ media: MediaItem...) async throws(GroupWatchError) {
    try await insert(media, at: .next)
  }

  /// Inserts media after an entry.
  public func insert(_ media: MediaItem..., after entry: EntryID) async throws(GroupWatchError) {
    try await insert(media, at: .after(entry))
  }

  /// Moves an entry after another one, or after the current entry if `other` is `nil`.
  public func move(
    _ entry: EntryID, after other: EntryID? = nil
  ) async throws(GroupWatchError) {
    try await ask(.move(entry, to: other.map { .after($0) } ?? .next))
  }

  /// Moves an entry to the end of the queue.
  public func moveToEnd(_ entry: EntryID) async throws(GroupWatchError) {
    try await ask(.move(entry, to: .end))
  }

  /// Removes an entry; if it is the current one, everyone moves to the next.
  public func remove(_ entry: EntryID) async throws(GroupWatchError) {
    try await ask(.remove(entry))
  }

  /// Removes all entries but the current one.
  public func clear() async throws(GroupWatchError) {
    try await ask(.clear)
  }

  /// Makes an entry the current one for everyone.
  public func select(_ entry: EntryID) async throws(GroupWatchError) {
    try await ask(.select(entry))
  }

  /// Moves everyone to the next entry; two concurrent calls advance only once.
  public func next() async throws(GroupWatchError) {
    try await ask(.next(from: state.current.current))
  }

  /// Moves everyone to the previous entry; two concurrent calls go back only once.
  public func previous() async throws(GroupWatchError) {
    try await ask(.previous(from: state.current.current))
  }

  /// Sets what plays after an entry ends.
  public func setRepeatMode(_ mode: RepeatMode) async throws(GroupWatchError) {
    try await ask(.setRepeat(mode))
  }

  /// Shuffles the entries other than the current one, or restores the unshuffled order.
  public func setShuffled(_ isShuffled: Bool) async throws(GroupWatchError) {
    // The server chooses the seed; this value is not sent.
    try await ask(isShuffled ? .shuffle(seed: 0) : .unshuffle)
  }

  /// Sets whether the next entry starts automatically when one ends.
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
    try await client.ask(.queue(core.id, command), of: core)
  }
}

/// The state of a session's queue.
public struct QueueState: Hashable, Sendable {
  /// The entries, in playback order.
  public let entries: [QueueEntry]
  /// The current entry; `nil` if the current media is not in the queue.
  public let current: EntryID?
  /// What plays after an entry ends.
  public let repeatMode: RepeatMode
  /// Whether the order is shuffled.
  public let isShuffled: Bool
  /// Whether the next entry starts automatically when one ends.
  public let isAutoAdvancing: Bool

  /// The current entry with its media; `nil` if the current media is not in the queue.
  public var currentEntry: QueueEntry? { entries.first { $0.id == current } }

  init(_ queue: GroupSessions.Queue) {
    entries = queue.entries
    current = queue.current
    repeatMode = queue.repeatMode
    isShuffled = queue.unshuffledOrder != nil
    isAutoAdvancing = queue.isAutoAdvancing
  }
}

import Playback
package import Vocabulary

/// The player's reported state of the item that it was ordered to open.
package struct PlayerState: Equatable, Sendable {
  private(set) var isLoaded = false
  /// Whether the player reported that it cannot play the item.
  private(set) var isUnplayable = false
  private(set) var isRunning = false
  private(set) var duration: Duration?
  /// The last reported position.
  private(set) var position: MediaTime?
  private var isStalled = false
  private var isSeeking = false

  /// The state before any item is opened.
  package init() {}

  /// The last reported position and whether the player is playing; `nil` with no item open.
  ///
  /// An item that was just opened is at its start, which the player does not report.
  package var reading: (position: MediaTime, isRunning: Bool)? {
    isLoaded ? (position ?? .zero, isRunning) : nil
  }

  /// Whether the player could start at once.
  var isSettled: Bool { isLoaded && !isStalled && !isSeeking }

  /// Whether the player follows a timeline; at a barrier only the follower knows.
  func follows(_ timeline: Timeline) -> Bool {
    switch timeline.phase {
    case .preparing: false
    case .playing: isSettled && isRunning
    case .paused, .ended: isSettled
    }
  }

  /// Resets the item's state for a new item; the player's own state stays until the item is
  /// loaded.
  package mutating func open() {
    (isLoaded, isUnplayable, duration, position) = (false, false, nil, nil)
  }

  /// Sets an item as open on a device without a player.
  mutating func pretend(isLoaded: Bool) { self.isLoaded = isLoaded }

  /// Records that the player was commanded to seek.
  mutating func beginSeek() { isSeeking = true }

  /// Records a player event.
  package mutating func note(_ event: PlayerEvent) {
    switch event {
    case .loaded(let length, _, _):
      (isLoaded, duration) = (true, length)
      (isStalled, isSeeking, isRunning) = (false, false, false)
    case .failed: (isLoaded, isUnplayable) = (false, true)
    case .position(let next, _): position = next
    case .paused: isRunning = false
    case .unpaused: isRunning = true
    case .stalled: isStalled = true
    case .recovered, .ended: isStalled = false
    case .seekFinished(let next): (isSeeking, position) = (false, next)
    case .seekWindow, .seeked, .rateChanged: break
    }
  }
}

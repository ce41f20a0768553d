import Playback
package import Vocabulary
import Wire

/// The player's reported state of the item that it was ordered to open.
package struct PlayerState: Equatable, Sendable {
  private(set) var isLoaded = false
  /// Whether the player reported that it cannot play the item.
  private(set) var isUnplayable = false
  private(set) var isRunning = false
  private(set) var duration: Duration?
  /// The last reported position.
  private(set) var place: MediaTime?
  private var isStalled = false
  private var isSeeking = false

  /// The state before any item is opened.
  package init() {}

  /// The last reported position and whether the player is playing; `nil` with no item open.
  ///
  /// An item that was just opened is at its start, which the player does not report.
  package var reading: (place: MediaTime, isRunning: Bool)? {
    isLoaded ? (place ?? .zero, isRunning) : nil
  }

  /// Whether the player could start at once.
  var isSettled: Bool { isLoaded && !isStalled && !isSeeking }

  /// Resets the item's state for a new item; the player's own state stays until the item is
  /// loaded.
  package mutating func open() {
    (isLoaded, isUnplayable, duration, place) = (false, false, nil, nil)
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
    case .position(let next, _): place = next
    case .paused: isRunning = false
    case .unpaused: isRunning = true
    case .stalled: isStalled = true
    case .recovered: isStalled = false
    case .seekFinished(let next): (isSeeking, place) = (false, next)
    case .seekWindow, .seeked, .rateChanged, .ended: break
    }
  }
}

/// The seekable range of live content, and what the server was told of it.
struct SeekWindowReport: Equatable, Sendable {
  private var window: ToldSeekWindow?
  private var told: ToldSeekWindow?

  /// Notes the range at an instant of the group's time; returns whether the server knows another.
  mutating func note(_ window: SeekWindow, at instant: Instant) -> Bool {
    self.window = .told(window, at: instant)
    return told.map { !$0.window(at: instant).isSame(as: window) } ?? true
  }

  /// The range to tell the server now, which counts as told; `nil` if there is none.
  mutating func tell(at instant: Instant) -> SeekWindow? {
    guard let window else { return nil }
    told = window
    return window.window(at: instant)
  }
}

/// What a ready report answers; each combination is reported once.
struct ReadyReport: Equatable, Sendable {
  let item: ItemID
  let seq: Int
  let imposed: SuspensionID?
}

extension PositionReport {
  /// How often a position is reported, for people who watch the participants' positions.
  static let interval = Duration.seconds(5)
}

import Playback
package import Vocabulary

/// What the player said of the item that it was told to open.
package struct PlayerState: Equatable, Sendable {
  private(set) var isLoaded = false
  /// Whether the player said that it cannot play it.
  private(set) var isUnplayable = false
  private(set) var isRunning = false
  private(set) var duration: Duration?
  /// Where the player last said it was.
  private(set) var place: MediaTime?
  private var isStalled = false
  private var isSeeking = false

  /// Nothing was opened yet.
  package init() {}

  /// Where the player last said that it was, and whether it runs; `nil` with nothing open.
  ///
  /// What has just been opened stands at its start, and says so only when it is moved.
  package var reading: (place: MediaTime, isRunning: Bool)? {
    isLoaded ? (place ?? .zero, isRunning) : nil
  }

  /// Whether the player could start at once.
  var isSettled: Bool { isLoaded && !isStalled && !isSeeking }

  /// The player is told to open something; the states of the player itself stay until it has.
  package mutating func open() {
    (isLoaded, isUnplayable, duration, place) = (false, false, nil, nil)
  }

  /// Where there is no player, an item counts as open.
  mutating func pretend(isLoaded: Bool) { self.isLoaded = isLoaded }

  /// The player is told to seek.
  mutating func beginSeek() { isSeeking = true }

  /// The player said this of itself.
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

/// The suspension that the follower asked for, from its wish until the server knows that it is over.
///
/// The server numbers a suspension as it answers. One that is over before then ends as soon as it has
/// its number.
struct OwnSuspension: Equatable, Sendable {
  private struct Open: Equatable, Sendable {
    let reason: SuspensionReason
    var id: SuspensionID?
    var isOver = false
  }

  private var open: Open?
  /// Suspensions that the server was asked to end.
  private var ending: Set<SuspensionID> = []

  /// The follower steps out.
  mutating func begin(_ reason: SuspensionReason) { open = Open(reason: reason) }

  /// The server refused it.
  mutating func drop() { open = nil }

  /// The server gave it a number; returns whether it is over already.
  mutating func name(_ number: SuspensionID) -> Bool {
    open?.id = number
    return open?.isOver == true
  }

  /// The follower steps back in; returns what the server has to end, if it is known by a number.
  ///
  /// - Parameter standing: the suspensions of this device that the server still has.
  mutating func end(standing: [Suspension]) -> SuspensionID? {
    guard let id = open?.id else {
      open?.isOver = true
      return nil
    }
    open = nil
    ending = ending.intersection(standing.map(\.id)).union([id])
    return id
  }

  /// Whether the follower asked for a suspension.
  func covers(_ suspension: Suspension) -> Bool {
    if ending.contains(suspension.id) { return true }
    guard let open else { return false }
    return open.id.map { $0 == suspension.id } ?? (open.reason == suspension.reason)
  }
}

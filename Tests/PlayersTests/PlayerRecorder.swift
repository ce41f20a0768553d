import EventLoops
import LoopTesting
import Participation
import Players
import Vocabulary

/// Records a player's events and waits for more.
final class PlayerRecorder: PlayerDelegate {
  let test: TestLoop
  var events: [(event: PlayerEvent, at: HostTime)] = []
  var closeReasons: [PlayerCloseReason] = []

  init(_ test: TestLoop) {
    self.test = test
  }

  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    events.append((event, moment))
  }

  func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    closeReasons.append(reason)
  }

  /// All events but positions.
  var words: [PlayerEvent] {
    events.map(\.event).filter { if case .position = $0 { false } else { true } }
  }

  var positions: [(position: MediaTime, at: HostTime)] {
    events.compactMap {
      if case .position(let position, let moment) = $0.event { (position, moment) } else { nil }
    }
  }

  var landings: [MediaTime] {
    words.compactMap { if case .seekFinished(let position) = $0 { position } else { nil } }
  }

  /// Waits for an event that matches and comes after this call.
  func wait(for isWanted: @escaping (PlayerEvent) -> Bool) throws {
    let start = events.count
    try test.run { self.events[start...].contains { isWanted($0.event) } }
  }

  func waitForLoaded() throws {
    try wait { if case .position = $0 { true } else { false } }
  }

  func waitForLanding() throws {
    try wait { if case .seekFinished = $0 { true } else { false } }
  }

  /// Waits for this many further positions.
  func wait(positions count: Int) throws {
    let start = positions.count
    try test.run { self.positions.count >= start + count }
  }
}

/// Measures again until the figure fits, or the patience of a test is over.
///
/// On a busy machine a figure of a good player fits sooner or later, and one of a bad player never.
///
/// - Returns: the last figure.
func measure<Figure>(
  until fits: (Figure) -> Bool, _ measurement: () throws -> Figure
) throws -> Figure {
  let end = ContinuousClock.now + TestLoop.patience
  var figure = try measurement()
  while !fits(figure), ContinuousClock.now < end { figure = try measurement() }
  return figure
}

/// The measured rate: media time per second of process time over some positions.
func slope(_ positions: ArraySlice<(position: MediaTime, at: HostTime)>) -> Double {
  guard let first = positions.first, let last = positions.last, last.at > first.at else {
    return 0
  }
  return (last.position - first.position) / (last.at - first.at)
}

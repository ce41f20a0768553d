import EventLoops
import MatineeClient

/// An app's own player: it does what it is told at once, and writes it down.
final class AppPlayer: PlaybackControl {
  let reports: AsyncStream<PlayerReport>
  private let reporter: AsyncStream<PlayerReport>.Continuation
  private let state = Locked<[PlayerAction]>([])
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)

  init() { (reports, reporter) = AsyncStream.makeStream() }

  /// What it was told, in order.
  var actions: [PlayerAction] { state.withLock { $0 } }

  /// Whether it was told these in this order, and beside them nothing but where to seek.
  ///
  /// A seek is asked for again whose end is not heard of in time, as on a busy machine, and one that
  /// comes late is made up for.
  func wasTold(_ wanted: [PlayerAction]) -> Bool {
    var rest = wanted[...]
    for action in actions {
      if action == rest.first {
        rest.removeFirst()
      } else if case .seek = action {
        continue
      } else {
        return false
      }
    }
    return rest.isEmpty
  }

  func perform(_ action: PlayerAction) {
    state.withLock { $0.append(action) }
    switch action {
    case .load: report(.loaded(duration: .seconds(600), canChangeRate: true, noise: .zero))
    case .seek(let place): report(.seekFinished(at: place))
    case .play: report(.unpaused)
    case .pause: report(.paused)
    case .unload, .setRate: break
    }
    writer.yield()
  }

  /// Tells something of itself.
  func report(_ report: PlayerReport) { reporter.yield(report) }

  /// Waits until what it was told is as wanted; for one reader.
  func waits(for isThere: ([PlayerAction]) -> Bool) async {
    if isThere(actions) { return }
    for await _ in news where isThere(actions) { return }
  }

  /// Forgets what it was told.
  func forget() { state.withLock { $0 = [] } }
}

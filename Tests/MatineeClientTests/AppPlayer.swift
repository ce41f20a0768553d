import EventLoops
import MatineeClient

/// An app's own player: it does what it is told at once, and writes it down.
final class AppPlayer: PlaybackControl {
  let reports: AsyncStream<PlayerReport>
  private let reporter: AsyncStream<PlayerReport>.Continuation
  private let state = Locked(State())
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)

  private struct State {
    var actions: [PlayerAction] = []
    var latest: PlayerAction?
    var opensItems = true
    var rates: ClosedRange<Rate> = .slowest ... .fastest

    /// A seek that is asked for again is the same one.
    ///
    /// On a busy machine the word of its end may come too late; when it may be asked for again, the
    /// follower's own tests tell.
    mutating func note(_ action: PlayerAction) {
      defer { latest = action }
      if case .seek = action, action == latest { return }
      actions.append(action)
    }
  }

  init() { (reports, reporter) = AsyncStream.makeStream() }

  /// What it was told, in order.
  var actions: [PlayerAction] { state.withLock { $0.actions } }

  /// Whether it opens what it is told to load; otherwise it is still at it.
  var opensItems: Bool {
    get { state.withLock { $0.opensItems } }
    set { state.withLock { $0.opensItems = newValue } }
  }

  /// The rates that it says it has.
  var rates: ClosedRange<Rate> {
    get { state.withLock { $0.rates } }
    set { state.withLock { $0.rates = newValue } }
  }

  /// Tells that it has opened what it loaded.
  func open() { report(.loaded(duration: .seconds(600), rates: rates, noise: .zero)) }

  func perform(_ action: PlayerAction) {
    state.withLock { $0.note(action) }
    switch action {
    case .load: if opensItems { open() }
    case .seek(let position): report(.seekFinished(at: position))
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
  func forget() { state.withLock { $0.actions = [] } }
}

import Dispatch
import Observation

/// Stands in for the platform's player, such as `AVPlayer`: it keeps the time of a film and draws
/// nothing.
///
/// Its methods are what its buttons and its slider call, too.
@MainActor @Observable final class FilmPlayer {
  /// What changed in the player, whoever changed it.
  enum Change {
    case opened(length: Double)
    case started
    case paused
    case jumped
    /// Ten times a second while the film plays.
    case ticked
  }

  /// The open film; `nil` for none.
  private(set) var url: String?
  private(set) var isPlaying = false
  /// The speed, also of the next start, as a factor of normal speed.
  private(set) var speed = 1.0
  /// The position in seconds.
  private(set) var seconds = 0.0
  /// Is called at each change.
  @ObservationIgnored var onChange: (Change) -> Void = { _ in }
  @ObservationIgnored private var lastTick = ContinuousClock.now
  @ObservationIgnored private var timer: (any DispatchSourceTimer)?

  func open(_ url: String) {
    (self.url, seconds, isPlaying) = (url, 0, false)
    onChange(.opened(length: 600))
  }

  func close() {
    timer?.cancel()
    (url, seconds, isPlaying) = (nil, 0, false)
  }

  func play(speed: Double = 1) {
    guard url != nil else { return }
    self.speed = speed
    guard !isPlaying else { return }
    (isPlaying, lastTick) = (true, .now)
    beginTicking()
    onChange(.started)
  }

  func pause() {
    guard isPlaying else { return }
    advance()
    isPlaying = false
    timer?.cancel()
    onChange(.paused)
  }

  func seek(to seconds: Double) {
    (self.seconds, lastTick) = (seconds, .now)
    onChange(.jumped)
  }

  func setSpeed(_ speed: Double) {
    advance()
    self.speed = speed
  }

  private func advance() {
    guard isPlaying else { return }
    let now = ContinuousClock.now
    seconds += (now - lastTick) / .seconds(1) * speed
    lastTick = now
  }

  private func beginTicking() {
    timer?.cancel()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.isPlaying else { return }
        self.advance()
        self.onChange(.ticked)
      }
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer.resume()
    self.timer = timer
  }
}

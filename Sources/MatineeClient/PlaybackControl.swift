import EventLoops
import Participation
import Playback
import Players
public import Vocabulary

/// An app's player, as a group drives it: `AVPlaybackCoordinatorPlaybackControlDelegate` in one
/// verb.
///
/// The player only obeys and reports; when to start, how to keep in step and what a person's key
/// means to the group is worked out by the client.
public protocol PlaybackControl: Sendable {
  /// Carries an action out; called on the client's thread, so hand it on and return at once.
  func perform(_ action: PlayerAction)

  /// The reports of the player; the client reads them once, until it closes.
  var reports: AsyncStream<PlayerReport> { get }
}

/// What a group asks of an app's player.
public enum PlayerAction: Hashable, Sendable {
  /// Open the media at this URL, and stand paused at its start; then report `loaded`.
  case load(url: String)
  /// Put away what is open.
  case unload
  /// Run from where the player stands, at this factor of normal speed.
  case play(rate: Double)
  /// Stop where the player is, showing that frame.
  case pause
  /// Go exactly to a place; then report `seekFinished`.
  case seek(to: MediaTime)
  /// Run at this factor from now on, or once it runs.
  case setRate(Double)
}

/// What an app's player tells of itself, whoever made it so.
public enum PlayerReport: Hashable, Sendable {
  /// The media is open; the noise is the standard deviation of reported positions.
  case loaded(duration: Duration?, canChangeRate: Bool, noise: Duration)
  /// What of live content can be gone to now, and whether the start moves on with the edge; wanted
  /// once it is open, and where it comes otherwise.
  case seekWindow(ClosedRange<MediaTime>, slides: Bool)
  /// Where the player is just now; wanted about every 100 ms while it runs.
  case position(MediaTime)
  /// The player went from running to paused.
  case paused
  /// The player went from paused to running.
  case unpaused
  /// The last seek is over, and the player shows, or goes on from, that place.
  case seekFinished(at: MediaTime)
  /// A seek to that place began that the group did not ask for.
  case seeked(to: MediaTime)
  /// The player runs at this factor of normal speed since, which the group did not ask for.
  case rateChanged(Double)
  /// The player ran out of data.
  case stalled
  /// The player has data again.
  case recovered
  /// The item ran to its end.
  case ended
  /// The item cannot be played here.
  case failed(reason: String)
}

/// An app's ``PlaybackControl`` as the player of a client.
///
/// Confined to its loop's thread; reports are posted to it.
final class ControlledPlayer: Player {
  private let control: any PlaybackControl
  private let loop: EventLoop
  private var delegate: (any PlayerDelegate)?

  init(_ control: any PlaybackControl, on loop: EventLoop, delegate: any PlayerDelegate) {
    self.control = control
    self.loop = loop
    self.delegate = delegate
  }

  func load(_ url: String, startingAt place: MediaTime?) { control.perform(.load(url: url)) }

  func perform(_ command: PlayerCommand) {
    switch command {
    case .play(let rate): control.perform(.play(rate: rate))
    case .pause: control.perform(.pause)
    case .seek(let place): control.perform(.seek(to: place))
    case .setRate(let rate): control.perform(.setRate(rate))
    }
  }

  func unload() { control.perform(.unload) }

  func close() { delegate = nil }

  func tell(_ report: PlayerReport) {
    let now = loop.now
    let event: PlayerEvent? =
      switch report {
      case .loaded(let duration, let canChangeRate, let noise):
        .loaded(duration: duration, canChangeRate: canChangeRate, measurementNoise: noise)
      case .seekWindow(let range, let slides):
        SeekWindow(start: range.lowerBound, end: range.upperBound, slides: slides)
          .map { .seekWindow($0) }
      case .position(let place): .position(place, at: now)
      case .paused: .paused
      case .unpaused: .unpaused
      case .seekFinished(let place): .seekFinished(at: place)
      case .seeked(let place): .seeked(to: place)
      case .rateChanged(let factor): .rateChanged(factor)
      case .stalled: .stalled
      case .recovered: .recovered
      case .ended: .ended
      case .failed(let reason): .failed(reason: reason)
      }
    if let event { delegate?.player(self, didSend: event, at: now) }
  }
}

@available(*, unavailable)
extension ControlledPlayer: Sendable {}

import EventLoops
import Participation
import Playback
import Players
public import Vocabulary

/// An app's player, driven by the group.
///
/// It does the work of `AVPlaybackCoordinatorPlaybackControlDelegate` with a single method. The
/// player only obeys and reports. The client decides when to start, how to stay in step, and what a
/// person's input means for the group.
public protocol PlaybackControl: Sendable {
  /// Executes an action; it is called on the client's thread, so dispatch it and return at once.
  func perform(_ action: PlayerAction)

  /// The player's reports, in a new sequence each time the player is attached.
  ///
  /// It is read once for each attachment, before the first action.
  var reports: AsyncStream<PlayerReport> { get }
}

/// An action that the client requests of an app's player.
public enum PlayerAction: Hashable, Sendable {
  /// Open the media at this URL, paused at its start; then report `loaded`.
  case load(url: String)
  /// Close the open media.
  case unload
  /// Play from the player's position, at this factor of normal speed.
  case play(rate: Double)
  /// Pause at the player's position and show that frame.
  case pause
  /// Seek exactly to a position; then report `seekFinished`.
  case seek(to: MediaTime)
  /// Set the speed to this factor of normal speed; it also applies to the next start.
  case setRate(Double)
}

/// An event that an app's player reports, whether the group or a person caused it.
public enum PlayerReport: Hashable, Sendable {
  /// The media is open; the noise is the standard deviation of reported positions.
  ///
  /// The rates are those that the player has, `normal ... normal` if it has no other. While the group
  /// plays at another one, this device steps out, with the reason
  /// ``SuspensionReason/coordinatedPlaybackNotPossible``, and comes back by itself.
  case loaded(
    duration: Duration?, rates: ClosedRange<Rate> = .slowest ... .fastest, noise: Duration)
  /// The range of live content that can be sought, and whether its start moves with the live edge.
  ///
  /// Report it once the media is open, and whenever it changes otherwise.
  case seekWindow(ClosedRange<MediaTime>, slides: Bool)
  /// The player's position at an instant; `nil` is when the client receives the report.
  ///
  /// Report it about every 100 ms while playing. The client keeps the player within milliseconds of
  /// the group, so give the instant if the report may reach the client later than that.
  case position(MediaTime, at: ContinuousClock.Instant? = nil)
  /// The player changed from playing to paused.
  case paused
  /// The player changed from paused to playing.
  case unpaused
  /// The last seek is finished; the player shows this position or plays on from it.
  case seekFinished(at: MediaTime)
  /// A seek to this position began that the group did not request.
  case seeked(to: MediaTime)
  /// The speed changed to this factor of normal speed, which the group did not request.
  case rateChanged(Double)
  /// The player ran out of data.
  case stalled
  /// The player has data again.
  case recovered
  /// The item ran to its end.
  case ended
  /// The item cannot be played on this device.
  case failed(reason: String)
}

/// Adapts an app's ``PlaybackControl`` to the client's player interface; the app may attach another at
/// any time, or none.
///
/// Confined to its loop's thread; reports are posted to it.
final class ControlledPlayer: Player {
  private let loop: EventLoop
  private var delegate: (any PlayerDelegate)?
  private var control: (any PlaybackControl)?
  /// Identifies the attached control, so that reports of earlier ones are dropped.
  private var number = 0
  /// What is to be open, and where the control goes once it is.
  private var media: (url: String, start: MediaTime?)?
  /// Whether the control has it open.
  private var isLoaded = false
  private var isSeeking = false
  /// Where the control was at last, or was told to go.
  private var position: MediaTime?
  /// Whether its person watches alone.
  ///
  /// Then the next control goes on where this one was; in a session the group says where.
  private var isAlone = false

  init(on loop: EventLoop, delegate: any PlayerDelegate) {
    self.loop = loop
    self.delegate = delegate
  }

  /// Drives this control instead of the last one; returns the number under which it reports.
  ///
  /// - Parameters:
  ///   - next: the control.
  ///   - isAlone: whether its person watches alone.
  ///   - isFollowing: whether it is for a session, which says itself what to open.
  func attach(_ next: any PlaybackControl, isAlone: Bool, isFollowing: Bool) -> Int {
    detach(number)
    number += 1
    control = next
    self.isAlone = isAlone
    if !isAlone { media?.start = nil }
    if let media, !isFollowing { next.perform(.load(url: media.url)) }
    return number
  }

  /// Drives no control any more, if it is still the one with this number; returns whether it was.
  @discardableResult
  func detach(_ number: Int) -> Bool {
    guard number == self.number, let old = control else { return false }
    control = nil
    if media != nil {
      if isAlone, let position { media?.start = position }
      forgetPosition()
      old.perform(.unload)
    }
    return true
  }

  func load(_ url: String, startingAt position: MediaTime?) {
    media = (url, position)
    forgetPosition()
    control?.perform(.load(url: url))
  }

  func unload() {
    media = nil
    forgetPosition()
    control?.perform(.unload)
  }

  private func forgetPosition() { (isLoaded, isSeeking, position) = (false, false, nil) }

  func perform(_ command: PlayerCommand) {
    switch command {
    case .play(let rate): control?.perform(.play(rate: rate))
    case .pause: control?.perform(.pause)
    case .seek(let position): seek(to: position)
    case .setRate(let rate): control?.perform(.setRate(rate))
    }
  }

  private func seek(to position: MediaTime) {
    media?.start = isLoaded ? nil : position
    guard isLoaded else { return }
    (self.position, isSeeking) = (position, true)
    control?.perform(.seek(to: position))
  }

  func close() { (delegate, control) = (nil, nil) }

  func tell(_ report: PlayerReport, from number: Int) {
    guard number == self.number, control != nil else { return }
    note(report)
    // In a session the follower may answer with a seek, which goes before `start`.
    tell(report)
    if case .loaded = report, let start = media?.start { seek(to: start) }
  }

  private func note(_ report: PlayerReport) {
    switch report {
    case .loaded: isLoaded = true
    case .position(let next, _): if isLoaded, !isSeeking { position = next }
    case .seekFinished(let next): (position, isSeeking) = (next, false)
    case .seeked(let next): position = next
    default: break
    }
  }

  private func tell(_ report: PlayerReport) {
    let now = loop.now
    let event: PlayerEvent? =
      switch report {
      case .loaded(let duration, let rates, let noise):
        .loaded(duration: duration, rates: rates, measurementNoise: noise)
      case .seekWindow(let range, let slides):
        SeekWindow(start: range.lowerBound, end: range.upperBound, slides: slides)
          .map { .seekWindow($0) }
      case .position(let position, let moment):
        .position(position, at: moment.map { now - max(.now - $0, .zero) } ?? now)
      case .paused: .paused
      case .unpaused: .unpaused
      case .seekFinished(let position): .seekFinished(at: position)
      case .seeked(let position): .seeked(to: position)
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

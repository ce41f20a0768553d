import EventLoops
import Participation
import Playback
import Players
import Vocabulary

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

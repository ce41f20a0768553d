package import Vocabulary

/// A seek window and when it was reported; indirect, because most timelines have none.
package indirect enum ToldSeekWindow: Equatable, Sendable {
  case told(SeekWindow, at: Instant)

  package func window(at now: Instant) -> SeekWindow {
    switch self {
    case .told(let window, let told): window.moved(by: max(now - told, .zero))
    }
  }
}

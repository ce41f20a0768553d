package import Vocabulary

/// A client's whole life of in-app messages as one value: inputs go in, outputs come out.
package struct MessagePresenter: Equatable, Sendable {
  package var settings: PresenterSettings
  var outputs: [Output] = []

  /// A presenter with nothing to show.
  package init(
    _ settings: PresenterSettings = PresenterSettings(), user: UserID? = nil,
    platform: PlatformState = PlatformState()
  ) {
    self.settings = settings
  }

  /// Takes one input in and says what is to be done, in order.
  package mutating func handle(_ input: Input, at time: HostTime) -> [Output] {
    []
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package var nextDeadline: HostTime? { nil }
}

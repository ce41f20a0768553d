/// Where a delivery is on its way; it goes only where ``next`` leads.
package enum MessageStage: String, Hashable, Sendable, CaseIterable {
  /// On the stack, or for the display, the screen or a session's player to be free.
  case waiting
  /// The app is asked whether to show it.
  case offered
  /// It has the screen, and its images are on their way.
  case loading
  /// The app may change it.
  case preparing
  /// Its view comes on screen.
  case presenting
  case presented
  /// Its view goes.
  case dismissing
  case finished

  /// Every step there is.
  ///
  /// A control goes from `offered` to `presenting`, as it needs nothing. Whoever draws may decline
  /// what is `presenting`, and writing may send what is on screen back: both wait again, by way of
  /// `dismissing`, so that each `willPresent` has its `didDismiss`.
  package static let next: [MessageStage: Set<MessageStage>] = [
    .waiting: [.offered, .finished],
    .offered: [.loading, .presenting, .waiting, .finished],
    .loading: [.preparing, .waiting, .finished],
    .preparing: [.presenting, .waiting, .finished],
    .presenting: [.presented, .dismissing],
    .presented: [.dismissing],
    .dismissing: [.finished, .waiting],
    .finished: [],
  ]

  /// Whether the screen is this delivery's.
  var hasScreen: Bool {
    switch self {
    case .loading, .preparing, .presenting, .presented, .dismissing: true
    case .waiting, .offered, .finished: false
    }
  }
}

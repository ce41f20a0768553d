/// Why a player is gone that nobody here had closed.
package enum PlayerCloseReason: Equatable, Sendable {
  /// The person closed it.
  case quit
  /// It broke; the sentence says how, and what can be done.
  case failed(reason: String)
}

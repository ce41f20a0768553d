/// The types of lines that a server sends, as `"type"` spells them.
package enum ServerMessageType: String, Hashable, Sendable, CaseIterable {
  case welcome
  case pong
  case ok
  case error
  case eligibility
  case group
  case groupEvent
  case offer
  case offerWithdrawn
  case activityNotice
  case snapshot
  case event
  case itemMismatch
  case withheld
  case sessionOver
  case sessionLeft
  case message
  case inAppMessage
  case messageRevoked
  case explanation
  case notification
  case notifications
  case notificationsRevoked
  case objectState
  case closing
  case status

  /// Every type by its spelling.
  static let spelled = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

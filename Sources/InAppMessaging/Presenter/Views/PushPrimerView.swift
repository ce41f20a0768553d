/// The question before the system's own question for notifications, which can be asked only once.
package struct PushPrimerView: Equatable, Sendable {
  package let title: String
  package let message: String

  /// The question that a message asks; `nil` if it says nothing.
  package init?(_ message: InAppMessage) {
    guard case .text(let text) = message.body else { return nil }
    title = text.header ?? ""
    self.message = text.message
  }

  /// What agreeing does; declining closes the message, and the system is not asked.
  package let agreement = InAppMessage.ClickAction.requestPushPermission
}

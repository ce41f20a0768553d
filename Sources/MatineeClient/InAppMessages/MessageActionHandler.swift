public import InAppMessaging

/// Does what a click means that only an app can do.
public protocol MessageActionHandler: Sendable {
  /// Does it; called after the delegate had its say.
  ///
  /// - Parameters:
  ///   - action: opening a page, going to a place in the app, asking for leave to send
  ///     notifications, or sharing what plays here with everyone. What the library does by itself,
  ///     such as logging an event or joining a session, does not come here. Links lead to the web
  ///     or to an app's own scheme, never into code.
  ///   - message: the message that was clicked.
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) async
}

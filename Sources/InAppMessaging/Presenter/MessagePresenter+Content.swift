extension MessagePresenter {
  /// What keeps a message from being shown in that view; `nil` if nothing.
  func fault(of message: InAppMessage, in view: String) -> ContentFault? {
    message.fault(
      in: view, needing: settings.registry.schema(of: view), media: settings.mediaURLs)
  }

  /// Whether a message's point is to ask for leave to send notifications.
  func asksForPush(_ message: InAppMessage, in view: String) -> Bool {
    settings.registry.schema(of: view).asksForPush
      || message.actions.contains(.requestPushPermission)
  }
}

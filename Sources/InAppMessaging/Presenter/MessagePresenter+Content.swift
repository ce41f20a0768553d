extension MessagePresenter {
  /// What keeps a message from being shown in that view; `nil` if nothing.
  func fault(of message: InAppMessage, in view: String) -> ContentFault? {
    // A control has nothing to show.
    guard !message.isControl else { return nil }
    switch message.body {
    case .text(let text):
      if text.message.isEmpty, (text.header ?? "").isEmpty { return .noText }
    case .image(let image, _): if image.secureURL == nil { return .noImage }
    case .html(let page): if page.source.isEmpty { return .noText }
    case .empty: return .noText
    }
    let actions = [message.clickAction].compactMap(\.self) + message.buttons.map(\.clickAction)
    for action in actions.flatMap(\.leaves) {
      switch action {
      case .open(let url, _) where !LinkGuard.allows(page: url): return .link(url)
      case .deepLink(let link) where !LinkGuard.allows(deepLink: link): return .link(link)
      default: break
      }
    }
    return settings.registry.schema(of: view).fault(of: message, media: settings.mediaURLs)
  }

  /// Whether a message's point is to ask for leave to send notifications.
  func asksForPush(_ message: InAppMessage, in view: String) -> Bool {
    if settings.registry.schema(of: view).asksForPush { return true }
    let actions = [message.clickAction].compactMap(\.self) + message.buttons.map(\.clickAction)
    return actions.flatMap(\.leaves).contains(.requestPushPermission)
  }
}

import InAppMessaging
import Vocabulary

extension InAppMessage {
  /// What can be done with it, for people: its buttons, its body, and how it goes away.
  var usageLines: [String] {
    var lines = buttons.map { "“\($0.text.withoutControls)” (\($0.id)): \($0.clickAction.text)" }
    if let clickAction { lines.append("a click on it: \(clickAction.text)") }
    let closing = [
      closing.byButton ? "by its close button" : nil, closing.bySwipe ? "by a swipe" : nil,
      closing.byTapOutside ? "by a tap outside" : nil,
      closing.after.map { "by itself after \($0.phrase)" },
    ].compactMap(\.self)
    if !closing.isEmpty { lines.append("closed " + closing.joined(separator: ", ")) }
    if orientation != .any { lines.append("shown in \(orientation.rawValue) only") }
    for (key, value) in extras.sorted(by: { $0.key < $1.key }) {
      lines.append("\(key) = \(value.text)".withoutControls)
    }
    return lines
  }
}

extension InAppMessage.ClickAction {
  /// What a click does besides closing the message.
  var text: String {
    switch self {
    case .close: "closes it"
    case .open(let url, let inApp): "opens \(url)\(inApp ? " in the app" : "")".withoutControls
    case .deepLink(let link): "goes to \(link)".withoutControls
    case .logEvent(let name, let properties):
      (["logs “\(name)”"]
        + properties.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.text)" })
        .joined(separator: ", ").withoutControls
    case .setAttribute(let key, let value): "sets \(key) to \(value.text)".withoutControls
    case .requestPushPermission: "asks for leave to send notifications"
    case .session(.join): "joins the session"
    case .session(.leave): "leaves the session"
    case .session(.decline): "declines the session"
    case .session(.startForAll): "starts it for everyone in the group"
    case .sequence(let actions): actions.map(\.text).joined(separator: ", then ")
    }
  }
}

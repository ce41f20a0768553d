import UserNotifications

extension HandlerRouting.Arrival {
  /// What happens, as the tables write it: handlers' letters, and `shown` or `asked`.
  var text: String {
    let showing =
      switch showing {
      case .never: ""
      case .asked: "asked"
      case .always: "shown"
      }
    return [showing, handlers.letters].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension [NotificationHandler] {
  /// The handlers' letters, in their order.
  var letters: String {
    map { handler in
      switch handler {
      case .reception: "R"
      case .willPresent: "W"
      case .userAction: "U"
      case .launch: "L"
      case .legacyAction: "A"
      }
    }.joined()
  }
}

import InAppMessaging

/// What a view of its own shows beneath a message's texts, and what is chosen there.
enum MessageView: Equatable, Sendable {
  /// The message is all there is.
  case none
  /// One of several; nothing is chosen at first.
  case picker([String], chosen: Int?)
  /// Switches with whether each is on; all are at first.
  case switches([Switch])
  case video(title: String, url: String)

  struct Switch: Equatable, Sendable {
    var text: String
    var isOn: Bool
  }

  /// The view that a message's `view_type` names; none for types that are not known here.
  init(_ message: InAppMessage) {
    switch ViewRegistry.view(namedIn: message.extras).flatMap(ShippedView.init(rawValue:)) {
    case .video:
      self = VideoView(message).map { .video(title: $0.title, url: $0.url) } ?? .none
    case .picker: self = .picker(ItemList(message).items, chosen: nil)
    case .tableList:
      self = .switches(ItemList(message).items.map { Switch(text: $0, isOn: true) })
    case .permission, nil: self = .none
    }
  }

  /// Whether the message's text is the view's list, and not shown as a text.
  var takesText: Bool {
    switch self {
    case .picker, .switches: true
    case .none, .video: false
    }
  }
}

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
    var items: [String] = []
    if case .text(let text) = message.body {
      items = text.message.split(separator: ",").map(\.trimmingSpaces).filter { !$0.isEmpty }
    }
    switch message.extras["view_type"]?.string {
    case "video":
      self = .video(
        title: message.extras["video_title"]?.string ?? "Video Content",
        url: message.extras["video_url"]?.string ?? "")
    case "picker": self = .picker(items, chosen: nil)
    case "table_list": self = .switches(items.map { Switch(text: $0, isOn: true) })
    default: self = .none
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

import InAppMessaging
import JSON

/// The parser's maximum depth limits the nesting of sequences.
extension InAppMessage.ClickAction: Tagged, Fields {
  static let tag = "type"

  static let cases = CaseTable<InAppMessage.ClickAction>(
    Cases.close, Cases.open, Cases.deepLink, Cases.logEvent, Cases.setAttribute,
    Cases.requestPushPermission, Cases.session, Cases.sequence)

  private enum Cases {
    private typealias Action = InAppMessage.ClickAction

    static let close = Case("close", Action.close)
    static let open = Case("open", Action.open, "url", .flag("inApp"))
    static let deepLink = Case("deepLink", Action.deepLink, "url")
    static let logEvent = Case("logEvent", Action.logEvent, "name", "properties")
    static let setAttribute = Case("setAttribute", Action.setAttribute, "key", "value")
    static let requestPushPermission = Case(
      "requestPushPermission", Action.requestPushPermission)
    static let session = Case("session", Action.session, "action")
    static let sequence = Case("sequence", Action.sequence, "actions")
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .close: Cases.close.write(to: &writer)
    case .open(let url, let inApp): Cases.open.write((url, inApp), to: &writer)
    case .deepLink(let url): Cases.deepLink.write(url, to: &writer)
    case .logEvent(let name, let properties):
      Cases.logEvent.write((name, properties), to: &writer)
    case .setAttribute(let key, let value): Cases.setAttribute.write((key, value), to: &writer)
    case .requestPushPermission: Cases.requestPushPermission.write(to: &writer)
    case .session(let action): Cases.session.write(action, to: &writer)
    case .sequence(let actions): Cases.sequence.write(actions, to: &writer)
    }
  }
}

extension InAppMessage.SessionAction: CodedWord {}

extension InAppMessage.Button: Record {
  static let layout = Layout(
    InAppMessage.Button.init, RecordField("id", \.id), RecordField("text", \.text),
    RecordField("clickAction", \.clickAction, absent: .close),
    RecordField("themes", \.themes, absent: InAppMessage.Themes()))
}

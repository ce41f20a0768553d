import InAppMessaging
import JSON
import Vocabulary

extension InAppMessage.ClickAction {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("type", word: name)
    switch self {
    case .close, .requestPushPermission: break
    case .open(let url, let inApp):
      writer.field("url", url)
      writer.flag("inApp", inApp)
    case .deepLink(let url): writer.field("url", url)
    case .logEvent(let name, let properties):
      writer.field("name", name)
      writer.properties(properties)
    case .setAttribute(let key, let value):
      writer.field("key", key)
      writer.name("value")
      value.write(to: &writer)
    case .session(let action): writer.field("action", word: action)
    case .sequence(let actions):
      writer.name("actions")
      writer.beginArray()
      for action in actions { action.write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  /// Reads what ``write(to:)`` writes; the parser's depth bounds how far sequences nest.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("type", among: Name.self) {
    case .close: self = .close
    case .open:
      self = .open(
        url: try object.string("url", maximum: .max), inApp: try object.flag("inApp"))
    case .deepLink: self = .deepLink(try object.string("url", maximum: .max))
    case .logEvent:
      self = .logEvent(
        name: try object.string("name", maximum: .max), properties: try object.properties())
    case .setAttribute:
      self = .setAttribute(
        key: try object.string("key", maximum: .max),
        value: try PropertyValue(decoding: object.value("value")))
    case .requestPushPermission: self = .requestPushPermission
    case .session: self = .session(try object.choice("action"))
    case .sequence:
      let actions = try object.array("actions", maximum: .max)
        .map { (action) throws(DecodingFlaw) -> InAppMessage.ClickAction in
          try InAppMessage.ClickAction(decoding: action.object())
        }
      self = .sequence(actions)
    }
  }
}

extension InAppMessage.Button {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("id", id)
    writer.field("text", text)
    if clickAction != .close {
      writer.name("clickAction")
      clickAction.write(to: &writer)
    }
    themes.encodeField(into: &writer)
    writer.endObject()
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      id: try object.string("id", maximum: .max), text: try object.string("text", maximum: .max),
      themes: try InAppMessage.Themes(decodingFieldOf: object))
    if let action = try object.optionalObject("clickAction") {
      clickAction = try InAppMessage.ClickAction(decoding: action)
    }
  }
}

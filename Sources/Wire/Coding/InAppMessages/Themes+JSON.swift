import InAppMessaging
import JSON
import Vocabulary

extension InAppMessage.Themes {
  /// Writes the field `themes`, unless every colour is the view's own.
  func encodeField(into writer: inout JSONWriter) {
    guard self != Self() else { return }
    writer.object("themes") { writer in
      if light != InAppMessage.Theme() { light.encodeField("light", into: &writer) }
      dark?.encodeField("dark", into: &writer)
    }
  }

  /// Reads the field `themes`; themes of other names are for newer clients.
  init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let themes = try object.optionalObject("themes") else {
      self.init()
      return
    }
    self.init(
      light: try InAppMessage.Theme(decodingField: "light", of: themes) ?? InAppMessage.Theme(),
      dark: try InAppMessage.Theme(decodingField: "dark", of: themes))
  }
}

extension InAppMessage.Theme {
  fileprivate func encodeField(_ name: String, into writer: inout JSONWriter) {
    writer.object(name) { writer in
      for part in Part.allCases {
        if let color = self[part] { writer.field(part.rawValue, color.text) }
      }
    }
  }

  fileprivate init?(decodingField name: String, of object: JSONObject) throws(DecodingFlaw) {
    guard let theme = try object.optionalObject(name) else { return nil }
    self.init()
    for part in Part.allCases { self[part] = try theme.optionalColor(part.rawValue) }
  }
}

extension JSONObject {
  fileprivate func optionalColor(_ name: String) throws(DecodingFlaw) -> Color? {
    guard let value = optionalValue(name) else { return nil }
    guard let color = Color(text: try value.string(maximum: .max)) else {
      throw value.outOfRange(allowed: "a colour as '#rrggbb' or '#aarrggbb'")
    }
    return color
  }
}

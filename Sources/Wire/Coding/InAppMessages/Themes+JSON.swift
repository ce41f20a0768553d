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
      writer.field("background", background)
      writer.field("text", text)
      writer.field("headerText", headerText)
      writer.field("icon", icon)
      writer.field("iconBackground", iconBackground)
      writer.field("closeButton", closeButton)
      writer.field("border", border)
      writer.field("frame", frame)
    }
  }

  fileprivate init?(decodingField name: String, of object: JSONObject) throws(DecodingFlaw) {
    guard let theme = try object.optionalObject(name) else { return nil }
    self.init()
    background = try theme.optionalColor("background")
    text = try theme.optionalColor("text")
    headerText = try theme.optionalColor("headerText")
    icon = try theme.optionalColor("icon")
    iconBackground = try theme.optionalColor("iconBackground")
    closeButton = try theme.optionalColor("closeButton")
    border = try theme.optionalColor("border")
    frame = try theme.optionalColor("frame")
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ name: String, _ color: Color?) {
    if let color { field(name, color.text) }
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

extension Color {
  /// Short enough that Swift keeps it without an allocation.
  fileprivate var text: String {
    let isOpaque = argb >> 24 == 0xFF
    let digits = String(isOpaque ? argb & 0xFF_FFFF : argb, radix: 16)
    return "#" + String(repeating: "0", count: (isOpaque ? 6 : 8) - digits.count) + digits
  }

  fileprivate init?(text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
      // A number may begin with a sign, a colour not.
      digits.first != UInt8(ascii: "+"), let number = UInt32(Substring(digits), radix: 16)
    else { return nil }
    self.init(argb: digits.count == 6 ? 0xFF00_0000 | number : number)
  }
}

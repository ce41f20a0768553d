package import InAppMessaging
package import JSON
import Vocabulary

extension InAppMessage: JSONWritable, Fields {
  /// Writes an object; the defaults of the message's kind are left out.
  package func write(to writer: inout JSONWriter) {
    put(to: &writer)
  }

  /// Writes the fields into the open object.
  func encodeFields(into writer: inout JSONWriter) {
    let usual = InAppMessage(id: id, kind: kind, body: .empty)
    writer.field("message", id)
    campaign?.encodeField(into: &writer)
    writer.field("kind", word: kind)
    if surface != usual.surface { writer.field("surface", word: surface.name) }
    body.encodeField(into: &writer)
    writer.field("clickAction", clickAction)
    if !buttons.isEmpty { writer.field("buttons", buttons) }
    closing.encodeField(into: &writer, unlike: usual.closing)
    if orientation != .any { writer.field("orientation", word: orientation) }
    themes.encodeField(into: &writer)
    if !animatesIn { writer.field("animatesIn", false) }
    if !animatesOut { writer.field("animatesOut", false) }
    writer.properties(extras, "extras")
    if let language { writer.field("language", language) }
    if impression != usual.impression { impression.encodeField(into: &writer) }
    writer.field("session", session)
  }

  /// Reads what ``write(to:)`` writes; absent fields have the defaults of the message's kind.
  ///
  /// - Throws: what is wrong, and in which field; a reader of several messages drops only this one.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      id: try object.identifier("message", within: bounds), kind: try object.choice("kind"),
      body: try Body(decodingFieldOf: object))
    campaign = try CampaignReference(decodingFieldOf: object)
    surface = try object.optionalChoice("surface").map(Surface.init) ?? surface
    clickAction = try ClickAction.optional("clickAction", of: object, within: bounds)
    buttons = try object.optionalList("buttons", within: bounds)
    closing = try ClosePolicy(decodingFieldOf: object, unlike: closing)
    orientation = try object.optionalChoice("orientation") ?? orientation
    themes = try Themes(decodingFieldOf: object)
    animatesIn = try object.optionalBool("animatesIn") ?? animatesIn
    animatesOut = try object.optionalBool("animatesOut") ?? animatesOut
    extras = object.extras()
    language = try object.optionalString("language", maximum: .max)
    impression = try ImpressionPolicy(decodingFieldOf: object) ?? impression
    session = try object.optionalIdentifier("session", within: bounds)
  }
}

extension CampaignReference {
  fileprivate func encodeField(into writer: inout JSONWriter) {
    writer.object("campaign") { writer in
      writer.field("id", id)
      writer.field("name", name)
      writer.field("variant", variant)
      writer.flag("test", isTest)
      writer.field("user", user)
    }
  }

  fileprivate init?(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let campaign = try object.optionalObject("campaign") else { return nil }
    self.init(
      id: try campaign.identifier("id", within: .line),
      name: try campaign.string("name", maximum: .max),
      variant: try campaign.string("variant", maximum: .max), isTest: try campaign.flag("test"),
      user: try campaign.identifier("user", within: .line))
  }
}

extension InAppMessage.ClosePolicy {
  /// The spelling of an absent time, for kinds that close by themselves by default.
  private static let never = "never"

  /// Writes the field `closing` with the differences to the kind's defaults.
  func encodeField(into writer: inout JSONWriter, unlike usual: Self) {
    guard self != usual else { return }
    writer.object("closing") { writer in
      if after != usual.after {
        if let after {
          writer.field("after", after.microseconds)
        } else {
          writer.field("after", Self.never)
        }
      }
      if bySwipe != usual.bySwipe { writer.field("bySwipe", bySwipe) }
      if byButton != usual.byButton { writer.field("byButton", byButton) }
      if byTapOutside != usual.byTapOutside { writer.field("byTapOutside", byTapOutside) }
    }
  }

  /// Reads the field `closing`; absent fields have the kind's defaults.
  init(decodingFieldOf object: JSONObject, unlike usual: Self) throws(DecodingFlaw) {
    self = usual
    guard let closing = try object.optionalObject("closing") else { return }
    if let after = closing.optionalValue("after") {
      self.after = try Self.time(after)
    }
    bySwipe = try closing.optionalBool("bySwipe") ?? bySwipe
    byButton = try closing.optionalBool("byButton") ?? byButton
    byTapOutside = try closing.optionalBool("byTapOutside") ?? byTapOutside
  }

  private static func time(_ value: JSONValue) throws(DecodingFlaw) -> Duration? {
    guard value.type == .string else { return .microseconds(try value.int64(in: 0 ... .max)) }
    guard try value.string(maximum: .max) == never else {
      throw value.outOfRange(allowed: "a duration in microseconds, or '\(never)'")
    }
    return nil
  }
}

extension InAppMessage.ImpressionPolicy {
  /// Writes the field `impression`: a string, or an object with a time.
  func encodeField(into writer: inout JSONWriter) {
    if let name { writer.field("impression", name) }
    guard case .afterVisible(let time) = self else { return }
    writer.object("impression") { $0.field("afterVisible", time.microseconds) }
  }

  /// Reads the field `impression`; `nil` if it is absent.
  init?(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let value = object.optionalValue("impression") else { return nil }
    guard value.type == .string else {
      self = .afterVisible(
        .microseconds(try value.object().int64("afterVisible", in: 0 ... .max)))
      return
    }
    guard let policy = Self(name: try value.string(maximum: .max)) else {
      throw value.outOfRange(allowed: "'onPresent', 'explicit', or an object")
    }
    self = policy
  }
}

extension InAppMessage.Themes {
  /// Writes the field `themes`, unless every colour is the view's default.
  func encodeField(into writer: inout JSONWriter) {
    guard self != Self() else { return }
    writer.object("themes") { writer in
      if light != InAppMessage.Theme() { light.encodeField("light", into: &writer) }
      dark?.encodeField("dark", into: &writer)
    }
  }

  /// Reads the field `themes`; themes with unknown names are for newer clients and ignored.
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

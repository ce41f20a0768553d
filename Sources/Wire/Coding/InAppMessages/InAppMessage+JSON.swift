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
    writer.field("campaign", campaign)
    writer.field("kind", word: kind)
    if surface != usual.surface { writer.field("surface", word: surface.name) }
    if body != .empty { writer.field("body", body) }
    writer.field("clickAction", clickAction)
    if !buttons.isEmpty { writer.field("buttons", buttons) }
    closing.encodeField(into: &writer, unlike: usual.closing)
    if orientation != .any { writer.field("orientation", word: orientation) }
    if themes != Themes() { writer.field("themes", themes) }
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
      body: try Body.optional("body", of: object, within: bounds) ?? .empty)
    campaign = try CampaignReference.optional("campaign", of: object, within: bounds)
    surface = try object.optionalChoice("surface").map(Surface.init) ?? surface
    clickAction = try ClickAction.optional("clickAction", of: object, within: bounds)
    buttons = try object.optionalList("buttons", within: bounds)
    closing = try ClosePolicy(decodingFieldOf: object, unlike: closing)
    orientation = try object.optionalChoice("orientation") ?? orientation
    themes = try Themes.optional("themes", of: object, within: bounds) ?? Themes()
    animatesIn = try object.optionalBool("animatesIn") ?? animatesIn
    animatesOut = try object.optionalBool("animatesOut") ?? animatesOut
    extras = object.extras()
    language = try object.optionalString("language", maximum: .max)
    impression = try ImpressionPolicy(decodingFieldOf: object) ?? impression
    session = try object.optionalIdentifier("session", within: bounds)
  }
}

extension CampaignReference: Record {
  static let layout = Layout(
    CampaignReference.init, RecordField("id", \.id), RecordField("name", \.name),
    RecordField("variant", \.variant),
    RecordField(.flag("test"), \.isTest), RecordField("user", \.user))
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

/// Themes with other names are for newer clients, and ignored.
extension InAppMessage.Themes: Record {
  static let layout = Layout(
    InAppMessage.Themes.init, RecordField("light", \.light, absent: InAppMessage.Theme()),
    RecordField("dark", \.dark))
}

extension InAppMessage.Theme: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    for part in Part.allCases {
      if let color = self[part] { writer.field(part.rawValue, color.text) }
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init()
    for part in Part.allCases { self[part] = try object.optionalColor(part.rawValue) }
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

package import InAppMessaging
package import JSON
import Vocabulary

extension InAppMessage: JSONWritable {
  /// Writes an object; what is as the kind has it is left out.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    encodeFields(into: &writer)
    writer.endObject()
  }

  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    let usual = InAppMessage(id: id, kind: kind, body: .empty)
    writer.field("message", id)
    campaign?.encodeField(into: &writer)
    writer.field("kind", word: kind)
    if surface != usual.surface { writer.field("surface", word: surface.name) }
    body.encodeField(into: &writer)
    if let clickAction {
      writer.name("clickAction")
      clickAction.write(to: &writer)
    }
    if !buttons.isEmpty {
      writer.name("buttons")
      writer.beginArray()
      for button in buttons { button.write(to: &writer) }
      writer.endArray()
    }
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

  /// Reads what ``write(to:)`` writes; what is left out is as the kind has it.
  ///
  /// - Throws: what is wrong, the field named. Whoever reads several drops the one, and no other.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      id: try object.identifier("message", within: .line), kind: try object.choice("kind"),
      body: try Body(decodingFieldOf: object))
    campaign = try CampaignReference(decodingFieldOf: object)
    surface = try object.optionalChoice("surface").map(Surface.init) ?? surface
    if let action = try object.optionalObject("clickAction") {
      clickAction = try ClickAction(decoding: action)
    }
    if let array = try object.optionalArray("buttons", maximum: .max) {
      buttons = try array.map { (button) throws(DecodingFlaw) -> Button in
        try Button(decoding: button.object())
      }
    }
    closing = try ClosePolicy(decodingFieldOf: object, unlike: closing)
    orientation = try object.optionalChoice("orientation") ?? orientation
    themes = try Themes(decodingFieldOf: object)
    animatesIn = try object.optionalBool("animatesIn") ?? animatesIn
    animatesOut = try object.optionalBool("animatesOut") ?? animatesOut
    extras = object.extras()
    language = try object.optionalString("language", maximum: .max)
    impression = try ImpressionPolicy(decodingFieldOf: object) ?? impression
    session = try object.optionalIdentifier("session", within: .line)
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

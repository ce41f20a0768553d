import InAppMessaging
import JSON
import Vocabulary

/// The spellings of a body's `type`; an absent body is empty.
private enum BodyName: String, CaseIterable {
  case text
  case image
  case html
}

extension InAppMessage.Body {
  /// Writes the field `body`, unless it is empty.
  func encodeField(into writer: inout JSONWriter) {
    switch self {
    case .text(let text):
      writer.object("body") { writer in
        writer.field("type", word: BodyName.text)
        text.encodeFields(into: &writer)
      }
    case .image(let image, let landscape):
      writer.object("body") { writer in
        writer.field("type", word: BodyName.image)
        image.encodeField("image", into: &writer)
        landscape?.encodeField("landscapeImage", into: &writer)
      }
    case .html(let page):
      writer.object("body") { writer in
        writer.field("type", word: BodyName.html)
        writer.field("source", page.source)
        if let base = page.baseURL { writer.field("baseURL", base) }
        writer.flag("allowsScripts", page.allowsScripts)
      }
    case .empty: break
    }
  }

  /// Reads the field `body`.
  init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let body = try object.optionalObject("body") else {
      self = .empty
      return
    }
    self =
      switch try body.choice("type", among: BodyName.self) {
      case .text: .text(try InAppMessage.Text(decoding: body))
      case .image:
        .image(
          try InAppMessage.Image(decoding: body.object("image")),
          landscape: try InAppMessage.Image(decodingField: "landscapeImage", of: body))
      case .html:
        .html(
          InAppMessage.Page(
            try body.string("source", maximum: .max),
            baseURL: try body.optionalString("baseURL", maximum: .max),
            allowsScripts: try body.flag("allowsScripts")))
      }
  }
}

extension InAppMessage.Text {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    if let header { writer.field("header", header) }
    if headerAlignment != .center { writer.field("headerAlignment", word: headerAlignment) }
    writer.field("message", message)
    if messageAlignment != .center { writer.field("messageAlignment", word: messageAlignment) }
    switch graphic {
    case .icon(let icon): writer.field("icon", icon)
    case .image(let image): image.encodeField("image", into: &writer)
    case nil: break
    }
    landscapeImage?.encodeField("landscapeImage", into: &writer)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      try object.string("message", maximum: .max),
      header: try object.optionalString("header", maximum: .max),
      alignment: try object.optionalChoice("messageAlignment") ?? .center,
      headerAlignment: try object.optionalChoice("headerAlignment") ?? .center,
      graphic: try InAppMessage.Graphic(decodingFieldOf: object),
      landscapeImage: try InAppMessage.Image(decodingField: "landscapeImage", of: object))
  }
}

extension InAppMessage.Graphic {
  /// If there are both an image and an icon, the image counts, as with Braze.
  fileprivate init?(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    if let image = try InAppMessage.Image(decodingField: "image", of: object) {
      self = .image(image)
    } else if let icon = try object.optionalString("icon", maximum: .max) {
      self = .icon(icon)
    } else {
      return nil
    }
  }
}

extension InAppMessage.Image {
  fileprivate func encodeField(_ name: String, into writer: inout JSONWriter) {
    writer.object(name) { writer in
      writer.field("url", url)
      if let text = alternativeText { writer.field("alternativeText", text) }
    }
  }

  fileprivate init?(decodingField name: String, of object: JSONObject) throws(DecodingFlaw) {
    guard let image = try object.optionalObject(name) else { return nil }
    try self.init(decoding: image)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      url: try object.string("url", maximum: .max),
      alternativeText: try object.optionalString("alternativeText", maximum: .max))
  }
}

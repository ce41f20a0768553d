import InAppMessaging
import JSON
import Vocabulary

extension MessageDelivery {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("expires", expires)
    writer.flag("seen", wasSeen)
    message.encodeFields(into: &writer)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      try InAppMessage(decoding: object), expires: try object.instant("expires", within: .line),
      wasSeen: try object.flag("seen"))
  }
}

extension ServerMessage {
  /// Reads a delivery; whatever is wrong with the message itself makes it one that cannot be shown,
  /// and the line is a message all the same.
  ///
  /// - Throws: what is wrong with the delivery's identifier, without which nothing can be told of it.
  static func delivery(decoding object: JSONObject) throws(DecodingFlaw) -> ServerMessage {
    let id: MessageID = try object.identifier("message", within: .line)
    do throws(DecodingFlaw) {
      return .inAppMessage(try MessageDelivery(decoding: object))
    } catch {
      return .unreadableMessage(
        UnreadableMessage(
          id, line: try object.rawJSON(maximum: .max), error: ProtocolError(error)))
    }
  }
}

extension MessageRevocation {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("message", id)
    writer.field("reason", word: reason)
    writer.flag("force", isForced)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      try object.identifier("message", within: .line), because: try object.choice("reason"),
      isForced: try object.flag("force"))
  }
}

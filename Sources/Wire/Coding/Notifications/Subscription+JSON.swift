package import JSON
package import UserNotifications
import Vocabulary

extension Subscription {
  /// Writes `topic`, or `session` and `part`, into the object that is open.
  package func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .topic(let topic): writer.field("topic", topic)
    case .object(let object): object.encodeFields(into: &writer)
    }
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard object.has("session") else {
      self = .topic(try object.topic(within: bounds))
      return
    }
    guard !object.has("topic") else {
      throw object.outOfRange("topic", allowed: "left out where there is `session`")
    }
    self = .object(try SessionObject(decoding: object, within: bounds))
  }
}

extension SessionObject {
  /// Writes `session` and `part` into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    writer.field("part", word: part)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let session: SessionID = try object.identifier("session", within: bounds)
    self.init(try object.choice("part"), of: session)
  }
}

extension JSONObject {
  func topic(within bounds: FieldBounds) throws(DecodingFlaw) -> TopicID {
    try value("topic").identifier(maximum: bounds.topicBytes, within: bounds)
  }
}

import GroupSessions
import JSON

extension DismissalPolicy {
  /// What a session has whose state or beginning does not say, such as one that was kept before
  /// there were dismissals; not the server's default, which only new sessions get.
  private static let unsaid = DismissalPolicy.endsWithInitiator

  /// Writes the field `dismissalPolicy` of a session.
  func encodeField(into writer: inout JSONWriter) {
    if self != Self.unsaid { writer.field("dismissalPolicy", word: self) }
  }

  /// Reads the field `dismissalPolicy` of a session.
  init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    self = try object.optionalChoice("dismissalPolicy") ?? Self.unsaid
  }
}

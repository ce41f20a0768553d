import Coordination
import GroupSessions
import JSON
import Vocabulary
import Wire

/// The kinds of device events, as spelled in `"event"`.
private enum DeviceEventName: String, CaseIterable {
  case greeted
}

extension DeviceEvent {
  /// Writes a JSON object.
  ///
  /// It contains the device's secret, so it is for journals only.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .greeted(let greeting):
        writer.field("event", DeviceEventName.greeted.rawValue)
        writer.field("user", greeting.identity.user)
        writer.field("device", greeting.identity.device)
        writer.field("name", greeting.identity.name)
        if greeting.identity.isKeeper { writer.field("keeper", true) }
        writer.field("token", greeting.token.text)
        writer.field("sessions", greeting.understandsSessions)
        if greeting.understandsAudiences { writer.field("audience", true) }
      }
    }
  }

  /// Decodes what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("event", among: DeviceEventName.self) {
    case .greeted:
      let token = try object.string("token", maximum: .max)
      guard let token = Secret(token) else {
        throw object.outOfRange("token", allowed: "a token")
      }
      self = .greeted(
        Greeting(
          identity: Identity(
            user: UserID(try object.string("user", maximum: .max)),
            device: DeviceID(try object.string("device", maximum: .max)),
            name: try object.string("name", maximum: .max),
            isKeeper: try object.optionalBool("keeper") ?? false),
          token: token, understandsSessions: try object.bool("sessions"),
          understandsAudiences: try object.optionalBool("audience") ?? false))
    }
  }
}

extension RequestOutcome {
  /// Writes a JSON object with the answer or the error.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .answered(let answer): writer.field("answer", answer)
      case .refused(let error): writer.field("error", error)
      }
    }
  }

  /// Decodes what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    if let error = try object.optionalObject("error") {
      self = .refused(try ProtocolError(decoding: error))
    } else {
      self = .answered(try Answer(decoding: object.object("answer")))
    }
  }
}

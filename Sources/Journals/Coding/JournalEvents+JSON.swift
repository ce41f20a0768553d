import Coordination
import GroupSessions
import JSON
import Signatures
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

/// The kinds of name events, as spelled in `"event"`.
private enum NameEventName: String, CaseIterable {
  case claimed, paired, freed
}

extension NameEvent {
  private var name: NameEventName {
    switch self {
    case .claimed: .claimed
    case .paired: .paired
    case .freed: .freed
    }
  }

  /// Writes a JSON object; of a credential it has the hash.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("event", name.rawValue)
      switch self {
      case .claimed(let hash), .paired(let hash): writer.field("credential", hash.text)
      case .freed: break
      }
    }
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    func hash() throws(DecodingFlaw) -> CredentialHash {
      guard let hash = CredentialHash(try object.string("credential", maximum: .max)) else {
        throw object.outOfRange("credential", allowed: "a hash")
      }
      return hash
    }
    self =
      switch try object.choice("event", among: NameEventName.self) {
      case .claimed: .claimed(try hash())
      case .paired: .paired(try hash())
      case .freed: .freed
      }
  }
}

/// The kinds of attachment events, as spelled in `"event"`.
private enum AttachmentEventName: String, CaseIterable {
  case began, added, discarded
}

extension AttachmentEvent {
  /// Writes a JSON object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .began(let attachment, let session):
        writer.field("event", AttachmentEventName.began.rawValue)
        writer.field("session", session)
        writer.field("of", attachment)
      case .added(let part):
        writer.field("event", AttachmentEventName.added.rawValue)
        part.write("data", to: &writer)
      case .discarded: writer.field("event", AttachmentEventName.discarded.rawValue)
      }
    }
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("event", among: AttachmentEventName.self) {
    case .began:
      self = .began(
        try SessionAttachment(decoding: object.object("of")),
        of: SessionID(try object.string("session", maximum: .max)))
    case .added: self = .added(try AttachmentPart("data", of: object))
    case .discarded: self = .discarded
    }
  }
}

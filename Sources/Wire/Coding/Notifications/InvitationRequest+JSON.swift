import GroupSessions
import JSON
import Vocabulary

// Who is asked to come to a session, and what they say.

extension ClientMessage {
  /// Reads a request about invitations; an answer with a token needs no hello, and is no request.
  static func invitation(
    _ verb: InvitationVerb, _ object: JSONObject, _ bounds: FieldBounds
  ) throws(DecodingFlaw) -> ClientMessage {
    let id = try object.requestID()
    guard verb == .answerInvitation, object.has("token") else {
      return .request(id, try Request(verb, decoding: object, within: bounds))
    }
    for name in ["session", "seq"] where object.has(name) {
      throw object.outOfRange(name, allowed: "left out where there is `token`")
    }
    return .answerInvitation(
      id, token: try object.word("token", maximum: bounds.tokenBytes),
      try object.choice("answer"))
  }

  static func writeAnswer(
    _ id: RequestID, token: String, _ answer: InvitationAnswer, to writer: inout JSONWriter
  ) {
    writer.begin(InvitationVerb.answerInvitation, id)
    writer.field("token", token)
    writer.field("answer", word: answer)
    writer.endObject()
  }
}

extension Request {
  init(
    _ verb: InvitationVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch verb {
    case .invite:
      self = .invite(
        try object.optionalIdentifier("session", within: bounds),
        try object.invitedUsers(within: bounds),
        lifetime: try object.optionalInt64("lifetime", in: bounds.lifetimes)
          .map { .microseconds($0) })
    case .revokeInvitations:
      self = .revokeInvitations(
        try object.optionalIdentifier("session", within: bounds),
        try object.invitedUsers(within: bounds))
    case .answerInvitation:
      self = .answerInvitation(
        try object.identifier("session", within: bounds), try object.choice("answer"),
        seq: try object.optionalCount("seq"))
    }
  }
}

extension JSONObject {
  fileprivate func invitedUsers(within bounds: FieldBounds) throws(DecodingFlaw) -> [UserID] {
    try array("users", maximum: bounds.invitations)
      .map { (user) throws(DecodingFlaw) -> UserID in
        try user.identifier(within: bounds)
      }
  }
}

extension JSONWriter {
  mutating func invitedUsers(_ users: [UserID]) {
    array("users") { writer in
      for user in users { writer.string(user.text) }
    }
  }
}

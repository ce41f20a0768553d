import GroupSessions
import JSON
import Vocabulary

extension Invitations {
  /// Writes the field `invitations` of a session, unless nobody was invited.
  func encodeField(into writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.array("invitations") { writer in
      for invitation in values { writer.object { invitation.encodeFields(into: &$0) } }
    }
  }

  /// Reads the field `invitations` of a session; one that was kept before there were any has none.
  init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let array = try object.optionalArray("invitations", maximum: .max) else {
      self.init()
      return
    }
    self.init(
      try array.map { (value) throws(DecodingFlaw) -> Invitation in
        try Invitation(decoding: value.object())
      })
  }
}

extension Invitation {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", user)
    writer.field("state", word: state)
    writer.field("seq", seq)
    writer.field("expires", expires)
    writer.field("by", inviter)
    writer.field("device", device)
    writer.flag("hasJoined", hasJoined)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      user: try object.identifier("user", within: .line),
      seq: try object.count("seq"),
      expires: try object.instant("expires", within: .line),
      inviter: try object.optionalIdentifier("by", within: .line),
      state: try object.choice("state"),
      device: try object.optionalIdentifier("device", within: .line),
      hasJoined: try object.flag("hasJoined"))
  }
}

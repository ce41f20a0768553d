import GroupSessions
import JSON
import Vocabulary

extension Offer {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    writer.field("group", group)
    writer.field("activity", activity)
    writer.field("revision", revision)
    writer.field("initiator", initiator)
    writer.field("staged", isStaged)
    writer.flag("awaited", isAwaited)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      session: try object.identifier("session", within: .line),
      group: try object.identifier("group", within: .line),
      activity: try GroupActivity(decoding: object.object("activity"), within: .line),
      revision: try object.count("revision"),
      initiator: try Initiator(decoding: object.object("initiator")),
      isStaged: try object.bool("staged"),
      isAwaited: try object.flag("awaited"))
  }
}

extension OfferWithdrawal {
  /// The spellings that are no reasons of a session's end.
  private enum Name {
    static let declined = "declined"
    static let notEligible = "notEligible"
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .ended(let reason): reason.encodeFields(into: &writer)
    case .declined: writer.field("reason", Name.declined)
    case .notEligible: writer.field("reason", Name.notEligible)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.string("reason", maximum: .max) {
    case Name.declined: self = .declined
    case Name.notEligible: self = .notEligible
    default: self = .ended(try EndReason(decoding: object))
    }
  }
}

extension ActivityNotice {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    writer.field("title", title)
    writer.field("fallbackURL", fallbackURL)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      session: try object.identifier("session", within: .line),
      title: try object.string("title", maximum: .max),
      fallbackURL: try object.optionalString("fallbackURL", maximum: .max))
  }
}

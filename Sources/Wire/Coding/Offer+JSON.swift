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
  /// The spelling that is no reason of a session's end.
  private static let notEligibleName = "notEligible"

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .ended(let reason): reason.encodeFields(into: &writer)
    case .notEligible: writer.field("reason", Self.notEligibleName)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    if try object.string("reason", maximum: .max) == Self.notEligibleName {
      self = .notEligible
    } else {
      self = .ended(try EndReason(decoding: object))
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

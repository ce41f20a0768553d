import GroupSessions
import JSON
import Vocabulary

extension Offer: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    writer.field("group", group)
    writer.field("activity", activity)
    writer.field("revision", revision)
    writer.field("initiator", initiator)
    writer.field("staged", isStaged)
    writer.flag("awaited", isAwaited)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      session: try object.identifier("session", within: bounds),
      group: try object.identifier("group", within: bounds),
      activity: try GroupActivity.read("activity", of: object, within: bounds),
      revision: try object.count("revision"),
      initiator: try Initiator.read("initiator", of: object, within: bounds),
      isStaged: try object.bool("staged"),
      isAwaited: try object.flag("awaited"))
  }
}

extension OfferWithdrawal: Fields {
  /// The spellings that are not reasons of a session's end.
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

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    switch try object.string("reason", maximum: .max) {
    case Name.declined: self = .declined
    case Name.notEligible: self = .notEligible
    default: self = .ended(try EndReason(decoding: object, within: bounds))
    }
  }
}

extension ActivityNotice: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    writer.field("title", title)
    writer.field("fallbackURL", fallbackURL)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      session: try object.identifier("session", within: bounds),
      title: try object.string("title", maximum: .max),
      fallbackURL: try object.optionalString("fallbackURL", maximum: .max))
  }
}

extension AudienceSize: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("count", count)
    writer.field("slow", slow)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(count: try object.count("count"), slow: try object.count("slow"))
  }
}

extension Eligibility: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .eligible: writer.field("eligible", true)
    case .ineligible(let reason):
      writer.field("eligible", false)
      writer.field("reason", word: reason)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self = try object.bool("eligible") ? .eligible : .ineligible(try object.choice("reason"))
  }
}

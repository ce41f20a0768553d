import GroupSessions
import JSON
import Vocabulary

extension Offer: Record {
  static let layout = Layout(
    Offer.init, RecordField("session", \.session), RecordField("group", \.group),
    RecordField("activity", \.activity),
    RecordField("revision", \.revision), RecordField("initiator", \.initiator),
    RecordField("staged", \.isStaged),
    RecordField(.flag("awaited"), \.isAwaited))
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

extension ActivityNotice: Record {
  static let layout = Layout(
    ActivityNotice.init, RecordField("session", \.session), RecordField("title", \.title),
    RecordField("fallbackURL", \.fallbackURL))
}

extension AudienceSize: Record {
  static let layout = Layout(
    AudienceSize.init, RecordField("count", \.count), RecordField("slow", \.slow))
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

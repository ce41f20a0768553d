/// The short names under which the three kinds of messages carry what an app may want to know.
///
/// Kii, "Push Message Payload"; a field of a sender's own has none of these names.
enum MessageField: String, CaseIterable {
  case app = "a"
  case sender = "s"
  case origin = "o"
  case when = "w"
  case type = "t"
  case topic = "to"
  case bucket = "bi"
  case bucketType = "bt"
  case object = "oi"
  case modified = "om"
  case scopeType = "st"
  case scopeApp = "sa"
  case scopeUser = "su"
  case scopeGroup = "sg"
  case scopeThing = "sth"
}

extension [String: PayloadValue] {
  subscript(field: MessageField) -> PayloadValue? {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }
}

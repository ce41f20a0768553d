import InAppMessaging
import JSON
import Vocabulary

extension MessageDelivery: Record {
  static let layout = Layout(
    { MessageDelivery($2, expires: $0, wasSeen: $1) }, RecordField("expires", \.expires),
    RecordField(.flag("seen"), \.wasSeen), RecordField(.open, \.message))
}

extension MessageRevocation: Record {
  static let layout = Layout(
    MessageRevocation.init, RecordField("message", \.id), RecordField("reason", \.reason),
    RecordField(.flag("force"), \.isForced))
}

extension Explanation: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("campaign", campaign)
    if let now { writer.field("now", word: now) }
    if let detail { writer.field("detail", detail) }
    guard let last else { return }
    writer.object("last") { writer in
      writer.field("at", last.at)
      if let trigger { writer.field("trigger", trigger) }
      if let refusal = last.refusal { writer.field("refusal", word: refusal) }
      switch last.clue {
      case .until(let instant): writer.field("until", instant)
      case .place(let place): writer.field("place", place)
      case .content(let fault): writer.field("fault", word: fault)
      case nil: break
      }
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(campaign: try object.identifier("campaign", within: bounds))
    now = try object.optionalChoice("now")
    detail = try object.optionalString("detail", maximum: .max)
    guard let last = try object.optionalObject("last") else { return }
    trigger = try last.optionalString("trigger", maximum: .max)
    var clue = try last.optionalInstant("until", within: bounds).map { Evaluation.Clue.until($0) }
    if let place = try last.optionalInt("place", in: -1 ... .max) { clue = .place(place) }
    if let fault: ContentFault.Sort = try last.optionalChoice("fault") { clue = .content(fault) }
    self.last = Evaluation(
      campaign: campaign, at: try last.instant("at", within: bounds),
      refusal: try last.optionalChoice("refusal"), clue: clue)
  }
}

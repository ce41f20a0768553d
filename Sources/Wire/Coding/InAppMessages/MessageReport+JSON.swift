import InAppMessaging
import JSON

// The outcomes of a delivery, in a client's report and in the journal.

extension MessageReport: Tagged, Fields {
  static let tag = "report"

  static let cases = CaseTable<MessageReport>(
    Cases.waiting, Cases.started, Cases.impression, Cases.clicked, Cases.dismissed, Cases.refused)

  private enum Cases {
    static let waiting = Case("waiting", MessageReport.waiting)
    static let started = Case("started", MessageReport.started)
    static let impression = Case("impression", MessageReport.impression)
    static let clicked = Case(
      "clicked", MessageReport.clicked, .text("button", by: \.identifierBytes))
    static let dismissed = Case("dismissed", MessageReport.dismissed, .open)
    static let refused = Case("refused", MessageReport.refused, "reason")
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .waiting: Cases.waiting.write(to: &writer)
    case .started: Cases.started.write(to: &writer)
    case .impression: Cases.impression.write(to: &writer)
    case .clicked(let button): Cases.clicked.write(button, to: &writer)
    case .dismissed(let reason): Cases.dismissed.write(reason, to: &writer)
    case .refused(let refusal): Cases.refused.write(refusal, to: &writer)
    }
  }
}

extension InAppMessage.Refusal: CodedWord {}

extension InAppMessage.Outcome: Tagged, Fields {
  static let tag = "outcome"

  static let cases = CaseTable<InAppMessage.Outcome>(
    Cases.presented, Cases.control, Cases.refused)

  private enum Cases {
    static let presented = Case("presented", InAppMessage.Outcome.presented, .open)
    static let control = Case("control", InAppMessage.Outcome.control)
    static let refused = Case("refused", InAppMessage.Outcome.refused, "reason")
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .presented(let reason): Cases.presented.write(reason, to: &writer)
    case .control: Cases.control.write(to: &writer)
    case .refused(let refusal): Cases.refused.write(refusal, to: &writer)
    }
  }
}

extension InAppMessage.DismissReason: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    if case .action(let button?) = self { writer.field("button", button) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let name = try object.choice("reason", among: Name.self)
    self.init(
      name,
      button: name == .action
        ? try object.optionalString("button", maximum: bounds.identifierBytes) : nil)
  }
}

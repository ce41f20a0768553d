package import InAppMessaging
package import JSON
import Vocabulary

/// What is told of a delivery, as `"report"` spells it.
package enum MessageReportName: String, Hashable, Sendable, CaseIterable {
  case waiting
  case started
  case impression
  case clicked
  case dismissed
  case refused
}

extension MessageReport {
  private var name: MessageReportName {
    switch self {
    case .waiting: .waiting
    case .started: .started
    case .impression: .impression
    case .clicked: .clicked
    case .dismissed: .dismissed
    case .refused: .refused
    }
  }

  /// Writes the fields into the object that is open.
  package func encodeFields(into writer: inout JSONWriter) {
    writer.field("report", word: name)
    switch self {
    case .waiting, .started, .impression: break
    case .clicked(let button): if let button { writer.field("button", button) }
    case .dismissed(let reason): reason.encodeFields(into: &writer)
    case .refused(let refusal): writer.field("reason", word: refusal)
    }
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self =
      switch try object.choice("report", among: MessageReportName.self) {
      case .waiting: .waiting
      case .started: .started
      case .impression: .impression
      case .clicked: .clicked(button: try object.button(within: bounds))
      case .dismissed:
        .dismissed(try InAppMessage.DismissReason(decoding: object, within: bounds))
      case .refused: .refused(try object.choice("reason"))
      }
  }
}

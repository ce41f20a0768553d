import JSON
import UserNotifications

/// What is told of a notification, as `"report"` spells it.
package enum NotificationReportName: String, Hashable, Sendable, CaseIterable {
  case acknowledged
  case responded
  case removed
}

extension NotificationReport {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .acknowledged(let result):
      writer.field("report", word: NotificationReportName.acknowledged)
      writer.field("result", word: result)
    case .responded(let actionID, let text):
      writer.field("report", word: NotificationReportName.responded)
      writer.field("action", actionID)
      if let text { writer.field("text", text) }
    case .removed: writer.field("report", word: NotificationReportName.removed)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self =
      switch try object.choice("report", among: NotificationReportName.self) {
      case .acknowledged: .acknowledged(try object.choice("result"))
      case .responded:
        .responded(
          actionID: try object.word("action", maximum: bounds.nameBytes),
          text: try object.optionalString("text", maximum: bounds.replyBytes))
      case .removed: .removed
      }
  }
}

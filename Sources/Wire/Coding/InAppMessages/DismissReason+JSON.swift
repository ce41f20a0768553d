package import InAppMessaging
package import JSON
import Vocabulary

extension InAppMessage.DismissReason {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    if case .action(let button?) = self { writer.field("button", button) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let name = try object.choice("reason", among: Name.self)
    self.init(name, button: name == .action ? try object.button(within: bounds) : nil)
  }
}

extension JSONObject {
  /// The button that was clicked; absent, it was the body.
  func button(within bounds: FieldBounds) throws(DecodingFlaw) -> String? {
    try optionalString("button", maximum: bounds.identifierBytes)
  }
}

/// How a delivery can end, as `"outcome"` spells it.
private enum OutcomeName: String, CaseIterable {
  case presented
  case control
  case refused
}

extension InAppMessage.Outcome {
  /// Writes the fields into the object that is open, for a journal.
  package func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .presented(let reason):
      writer.field("outcome", word: OutcomeName.presented)
      reason.encodeFields(into: &writer)
    case .control: writer.field("outcome", word: OutcomeName.control)
    case .refused(let refusal):
      writer.field("outcome", word: OutcomeName.refused)
      writer.field("reason", word: refusal)
    }
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    self =
      switch try object.choice("outcome", among: OutcomeName.self) {
      case .presented:
        .presented(
          dismissedBy: try InAppMessage.DismissReason(decoding: object, within: .line))
      case .control: .control
      case .refused: .refused(try object.choice("reason"))
      }
  }
}

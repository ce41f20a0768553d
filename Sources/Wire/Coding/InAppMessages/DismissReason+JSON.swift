package import InAppMessaging
package import JSON
import Vocabulary

/// The reasons why a message went away, as `"reason"` spells them.
package enum DismissReasonName: String, Hashable, Sendable, CaseIterable {
  case closeButton
  case swipe
  case tapOutside
  case escape
  case action
  case automatic
  case programmatic
  case textInput
  case userChanged
  case dataWiped
  case sessionEnded
  case replaced
  case pageClosed
  case failed
}

extension InAppMessage.DismissReason {
  /// How it is spelled.
  package var name: DismissReasonName {
    switch self {
    case .closeButton: .closeButton
    case .swipe: .swipe
    case .tapOutside: .tapOutside
    case .escape: .escape
    case .action: .action
    case .automatic: .automatic
    case .programmatic: .programmatic
    case .textInput: .textInput
    case .userChanged: .userChanged
    case .dataWiped: .dataWiped
    case .sessionEnded: .sessionEnded
    case .replaced: .replaced
    case .pageClosed: .pageClosed
    case .failed: .failed
    }
  }

  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    if case .action(let button?) = self { writer.field("button", button) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self =
      switch try object.choice("reason", among: DismissReasonName.self) {
      case .closeButton: .closeButton
      case .swipe: .swipe
      case .tapOutside: .tapOutside
      case .escape: .escape
      case .action: .action(button: try object.button(within: bounds))
      case .automatic: .automatic
      case .programmatic: .programmatic
      case .textInput: .textInput
      case .userChanged: .userChanged
      case .dataWiped: .dataWiped
      case .sessionEnded: .sessionEnded
      case .replaced: .replaced
      case .pageClosed: .pageClosed
      case .failed: .failed
      }
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

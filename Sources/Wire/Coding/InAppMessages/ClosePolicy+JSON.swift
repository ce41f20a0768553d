import InAppMessaging
import JSON
import Vocabulary

extension InAppMessage.ClosePolicy {
  /// The spelling of no time at all, for kinds that would go by themselves.
  private static let never = "never"

  /// Writes the field `closing` with what is not as the kind has it.
  func encodeField(into writer: inout JSONWriter, unlike usual: Self) {
    guard self != usual else { return }
    writer.object("closing") { writer in
      if after != usual.after {
        if let after {
          writer.field("after", after.microseconds)
        } else {
          writer.field("after", Self.never)
        }
      }
      if bySwipe != usual.bySwipe { writer.field("bySwipe", bySwipe) }
      if byButton != usual.byButton { writer.field("byButton", byButton) }
      if byTapOutside != usual.byTapOutside { writer.field("byTapOutside", byTapOutside) }
    }
  }

  /// Reads the field `closing`; what is left out is as the kind has it.
  init(decodingFieldOf object: JSONObject, unlike usual: Self) throws(DecodingFlaw) {
    self = usual
    guard let closing = try object.optionalObject("closing") else { return }
    if let after = closing.optionalValue("after") {
      self.after = try Self.time(after)
    }
    bySwipe = try closing.optionalBool("bySwipe") ?? bySwipe
    byButton = try closing.optionalBool("byButton") ?? byButton
    byTapOutside = try closing.optionalBool("byTapOutside") ?? byTapOutside
  }

  private static func time(_ value: JSONValue) throws(DecodingFlaw) -> Duration? {
    guard value.type == .string else { return .microseconds(try value.int64(in: 0 ... .max)) }
    guard try value.string(maximum: .max) == never else {
      throw value.outOfRange(allowed: "a duration in microseconds, or '\(never)'")
    }
    return nil
  }
}

extension InAppMessage.ImpressionPolicy {
  /// Writes the field `impression`: a word, or an object with a time.
  func encodeField(into writer: inout JSONWriter) {
    if let name { writer.field("impression", name) }
    guard case .afterVisible(let time) = self else { return }
    writer.object("impression") { $0.field("afterVisible", time.microseconds) }
  }

  /// Reads the field `impression`; `nil` if it is absent.
  init?(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let value = object.optionalValue("impression") else { return nil }
    guard value.type == .string else {
      self = .afterVisible(
        .microseconds(try value.object().int64("afterVisible", in: 0 ... .max)))
      return
    }
    guard let policy = Self(name: try value.string(maximum: .max)) else {
      throw value.outOfRange(allowed: "'onPresent', 'explicit', or an object")
    }
    self = policy
  }
}

import JSON
import Playback
import Vocabulary

extension PlaybackCommand: Tagged {
  static let tag = "type"

  static let cases = CaseTable<PlaybackCommand>(
    Cases.transition, Cases.play, Cases.pause, Cases.seek, Cases.setRate, Cases.suspend,
    Cases.endSuspension, Cases.ready, Cases.reportEnd)

  private enum Cases {
    static let transition = Case(
      "transition", PlaybackCommand.transition, .item, .open, "duration", "interstitials",
      "seekWindow")
    static let play = Case("play", PlaybackCommand.play, .item, "rate", .flag("immediately"))
    static let pause = Case("pause", PlaybackCommand.pause, .item, "mediaTime")
    static let seek = Case("seek", PlaybackCommand.seek, .item, "mediaTime", .flag("immediately"))
    static let setRate = Case("setRate", PlaybackCommand.setRate, .item, "rate")
    static let suspend = Case("suspend", PlaybackCommand.suspend, "reason")
    static let endSuspension = Case(
      "endSuspension", PlaybackCommand.endSuspension, "suspension", "mediaTime")
    static let ready = Case("ready", PlaybackCommand.ready, .item, "answers", "duration")
    static let reportEnd = Case("reportEnd", PlaybackCommand.reportEnd, .item, "answers")
  }

  func encodeFields(_ head: RequestHead, into writer: inout JSONWriter) {
    switch self {
    case .transition(let item, let timing, let duration, let interstitials, let window):
      Cases.transition.write((item, timing, duration, interstitials, window), head, to: &writer)
    case .play(let item, let rate, let immediately):
      Cases.play.write((item, rate, immediately), head, to: &writer)
    case .pause(let item, let place): Cases.pause.write((item, place), head, to: &writer)
    case .seek(let item, let place, let immediately):
      Cases.seek.write((item, place, immediately), head, to: &writer)
    case .setRate(let item, let rate): Cases.setRate.write((item, rate), head, to: &writer)
    case .suspend(let reason): Cases.suspend.write(reason, head, to: &writer)
    case .endSuspension(let suspension, let place):
      Cases.endSuspension.write((suspension, place), head, to: &writer)
    case .ready(let item, let seq, let duration):
      Cases.ready.write((item, seq, duration), head, to: &writer)
    case .reportEnd(let item, let seq): Cases.reportEnd.write((item, seq), head, to: &writer)
    }
  }
}

extension ProposedTiming: Record {
  static let layout = Layout(
    ProposedTiming.init, RecordField("mediaTime", \.mediaTime, fallback: .zero),
    RecordField("rate", \.rate))

  /// Reads a field with a timing, or its fields among the others if one of them is present.
  static func optional(
    _ field: Field<ProposedTiming?>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> ProposedTiming? {
    if case .open = field.rule {
      guard object.has("mediaTime") || object.has("rate") else { return nil }
      return try ProposedTiming(decoding: object, within: bounds)
    }
    guard let timing = try object.optionalObject(field.name) else { return nil }
    return try ProposedTiming(decoding: timing, within: bounds)
  }
}

extension SuspensionReason: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(try value.word(maximum: bounds.identifierBytes))
  }

  func put(to writer: inout JSONWriter) { writer.string(text) }
}

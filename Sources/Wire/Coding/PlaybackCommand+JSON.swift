import JSON
import Playback

extension PlaybackCommand {
  /// Writes the fields into the request's object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .transition(let item, let timing, let duration, let interstitials, let window):
      writer.field("item", item)
      timing?.encodeFields(into: &writer)
      writer.field("duration", duration)
      interstitials.encodeField(into: &writer)
      window?.encodeField(into: &writer)
    case .play(let item, let rate, let immediately):
      writer.field("item", item)
      writer.field("rate", rate)
      writer.flag("immediately", immediately)
    case .pause(let item, let place):
      writer.field("item", item)
      writer.field("mediaTime", place)
    case .seek(let item, let place, let immediately):
      writer.field("item", item)
      writer.field("mediaTime", place)
      writer.flag("immediately", immediately)
    case .setRate(let item, let rate):
      writer.field("item", item)
      writer.field("rate", rate)
    case .suspend(let reason): writer.field("reason", reason.text)
    case .endSuspension(let suspension, let place):
      writer.field("suspension", suspension)
      writer.field("mediaTime", place)
    case .ready(let item, let seq, let duration):
      writer.field("item", item)
      writer.field("answers", seq)
      writer.field("duration", duration)
    case .reportEnd(let item, let seq):
      writer.field("item", item)
      writer.field("answers", seq)
    }
  }

  var verb: PlaybackVerb {
    switch self {
    case .transition: .transition
    case .play: .play
    case .pause: .pause
    case .seek: .seek
    case .setRate: .setRate
    case .suspend: .suspend
    case .endSuspension: .endSuspension
    case .ready: .ready
    case .reportEnd: .reportEnd
    }
  }

  init(
    _ verb: PlaybackVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch verb {
    case .transition:
      self = .transition(
        to: try object.optionalItem(within: bounds),
        proposing: try ProposedTiming(decodingFieldsOf: object, within: bounds),
        duration: try object.optionalDuration("duration", within: bounds),
        interstitials: try Interstitials(decodingFieldOf: object, within: bounds),
        seekWindow: try SeekWindow.optional(in: object, within: bounds))
    case .suspend:
      let reason = try object.word("reason", maximum: bounds.identifierBytes)
      self = .suspend(SuspensionReason(reason))
    case .endSuspension:
      self = .endSuspension(
        try object.count("suspension"),
        proposing: try object.optionalMediaTime(within: bounds))
    case .play:
      self = .play(
        try object.item(within: bounds), rate: try object.optionalRate(),
        immediately: try object.flag("immediately"))
    case .pause:
      self = .pause(
        try object.item(within: bounds), at: try object.optionalMediaTime(within: bounds))
    case .seek:
      self = .seek(
        try object.item(within: bounds), to: try object.mediaTime(within: bounds),
        immediately: try object.flag("immediately"))
    case .setRate: self = .setRate(try object.item(within: bounds), try object.rate())
    case .ready:
      self = .ready(
        try object.item(within: bounds), seq: try object.count("answers"),
        duration: try object.optionalDuration("duration", within: bounds))
    case .reportEnd:
      self = .reportEnd(try object.item(within: bounds), seq: try object.count("answers"))
    }
  }
}

import JSON
import Playback
import Vocabulary

extension Timeline {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    phase.encodeFields(rate: rate, into: &writer)
    writer.field("seq", seq)
    writer.field("duration", duration)
    if !doubts.isEmpty {
      writer.array("doubts") { writer in
        for (participant, duration) in doubts {
          writer.object { writer in
            writer.field("participant", participant)
            writer.field("duration", duration)
          }
        }
      }
    }
    interstitials.encodeField(into: &writer)
    seekWindow?.encodeField(into: &writer)
    writer.field("keptUntil", keptUntil)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    let rate = try object.rate()
    self.init(
      phase: try Phase(decoding: object, rate: rate), rate: rate, seq: try object.count("seq"),
      duration: try object.optionalDuration("duration", within: .line))
    try object.optionalArray("doubts", maximum: .max)?.forEach { (value) throws(DecodingFlaw) in
      let doubt = try value.object()
      doubts[try doubt.participant()] = try doubt.duration("duration", within: .line)
    }
    interstitials = try Interstitials(decodingFieldOf: object, within: .line)
    seekWindow = try ToldSeekWindow.optional(in: object)
    keptUntil = try object.optionalInstant("keptUntil", within: .line)
  }
}

extension Timeline.Phase {
  /// The spellings of `phase`.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case paused
    case preparing
    case playing
    case ended
  }

  /// Writes the fields into the object that is open.
  ///
  /// - Parameter rate: The timeline's; that of a barrier or an anchor is always the same one.
  func encodeFields(rate: Rate, into writer: inout JSONWriter) {
    switch self {
    case .paused(let place):
      writer.field("phase", word: Name.paused)
      writer.field("mediaTime", place)
    case .preparing(let barrier):
      writer.field("phase", word: Name.preparing)
      writer.field("mediaTime", barrier.from)
      writer.field("due", barrier.due)
      writer.field("patience", barrier.patience)
    case .playing(let anchor):
      writer.field("phase", word: Name.playing)
      writer.field("mediaTime", anchor.mediaTime)
      writer.field("anchor", anchor.at)
      writer.field("approach", anchor.approach)
    case .ended(let place):
      writer.field("phase", word: Name.ended)
      writer.field("mediaTime", place)
    }
    writer.field("rate", rate)
  }

  init(decoding object: JSONObject, rate: Rate) throws(DecodingFlaw) {
    let place = try object.mediaTime(within: .line)
    switch try object.choice("phase", among: Name.self) {
    case .paused: self = .paused(at: place)
    case .preparing:
      self = .preparing(
        StartBarrier(
          from: place, rate: rate, due: try object.optionalInstant("due", within: .line),
          patience: try object.optionalInstant("patience", within: .line)))
    case .playing:
      self = .playing(
        TimelineAnchor(
          mediaTime: place, at: try object.instant("anchor", within: .line), rate: rate,
          approach: try object.optionalRate("approach")))
    case .ended: self = .ended(at: place)
    }
  }
}

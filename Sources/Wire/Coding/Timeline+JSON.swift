import JSON
import Playback
import Vocabulary

extension Timeline: Fields {
  /// Writes the fields into the open object.
  func encodeFields(into writer: inout JSONWriter) {
    Pace(phase, rate).encodeFields(into: &writer)
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

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let pace = try Pace(decoding: object, within: bounds)
    self.init(
      phase: pace.phase, rate: pace.rate, seq: try object.count("seq"),
      duration: try object.read("duration", within: bounds))
    try object.optionalArray("doubts", maximum: .max)?.forEach { (value) throws(DecodingFlaw) in
      let doubt = try value.object()
      let participant: ParticipantID = try doubt.identifier("participant", within: bounds)
      doubts[participant] = try doubt.read("duration", within: bounds) as Duration
    }
    interstitials = try Interstitials(decodingFieldOf: object, within: bounds)
    seekWindow = try ToldSeekWindow.optional(in: object, within: bounds)
    keptUntil = try object.optionalInstant("keptUntil", within: bounds)
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
}

/// A phase with the timeline's rate, which equals that of its barrier or anchor.
struct Pace: Fields {
  let phase: Timeline.Phase
  let rate: Rate

  init(_ phase: Timeline.Phase, _ rate: Rate) {
    self.phase = phase
    self.rate = rate
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch phase {
    case .paused(let place):
      writer.field("phase", word: Timeline.Phase.Name.paused)
      writer.field("mediaTime", place)
    case .preparing(let barrier):
      writer.field("phase", word: Timeline.Phase.Name.preparing)
      writer.field("mediaTime", barrier.from)
      writer.field("due", barrier.due)
      writer.field("patience", barrier.patience)
    case .playing(let anchor):
      writer.field("phase", word: Timeline.Phase.Name.playing)
      writer.field("mediaTime", anchor.mediaTime)
      writer.field("anchor", anchor.at)
      writer.field("approach", anchor.approach)
    case .ended(let place):
      writer.field("phase", word: Timeline.Phase.Name.ended)
      writer.field("mediaTime", place)
    }
    writer.field("rate", rate)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    rate = try object.read("rate", within: bounds)
    let place: MediaTime = try object.read("mediaTime", within: bounds)
    switch try object.choice("phase", among: Timeline.Phase.Name.self) {
    case .paused: phase = .paused(at: place)
    case .preparing:
      phase = .preparing(
        StartBarrier(
          from: place, rate: rate, due: try object.optionalInstant("due", within: bounds),
          patience: try object.optionalInstant("patience", within: bounds)))
    case .playing:
      phase = .playing(
        TimelineAnchor(
          mediaTime: place, at: try object.instant("anchor", within: bounds), rate: rate,
          approach: try object.read("approach", within: bounds)))
    case .ended: phase = .ended(at: place)
    }
  }
}

// MARK: Players' reports about an item

extension InterstitialRange: Record {
  static let layout = Layout(
    InterstitialRange.init, RecordField("start", \.start), RecordField("end", \.end))
}

extension Interstitials: OwnField {
  private static let field = "interstitials"

  /// Writes the field `interstitials`, if there are any.
  func encodeField(into writer: inout JSONWriter) {
    if !isEmpty { writer.field(Self.field, ranges) }
  }

  /// Reads the field `interstitials`; absent means none.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let array = try object.optionalArray(Self.field, maximum: bounds.interstitials) else {
      self.init()
      return
    }
    let ranges = try array.map { (value) throws(DecodingFlaw) in
      try InterstitialRange(decoding: value.object(), within: bounds)
    }
    guard let interstitials = Interstitials(ranges) else {
      throw object.outOfRange(
        Self.field, allowed: "ranges in order and apart, each with an end behind its start")
    }
    self = interstitials
  }
}

extension SeekWindow: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("start", start)
    writer.field("end", end)
    writer.flag("slides", slides)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let window = SeekWindow(
      start: try object.read("start", within: bounds),
      end: try object.read("end", within: bounds), slides: try object.flag("slides"))
    guard let window else {
      throw object.outOfRange("end", allowed: "at or behind the start, which is at least 0")
    }
    self = window
  }
}

extension ToldSeekWindow {
  /// Writes the field `seekWindow` with the instant of the window.
  func encodeField(into writer: inout JSONWriter) {
    guard case .told(let window, let instant) = self else { return }
    writer.object("seekWindow") { writer in
      window.encodeFields(into: &writer)
      writer.field("at", instant)
    }
  }

  /// Reads the field `seekWindow`; `nil` if it is absent.
  static func optional(
    in object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> ToldSeekWindow? {
    guard let value = try object.optionalValue("seekWindow")?.object() else { return nil }
    return .told(
      try SeekWindow(decoding: value, within: bounds), at: try value.instant("at", within: bounds))
  }
}

import JSON
import Playback
import Vocabulary

extension PlaybackEvent {
  /// How the event is spelled.
  var change: PlaybackChange {
    switch self {
    case .itemSelected: .itemSelected
    case .timelineSet: .timelineSet
    case .itemAdvanced: .itemAdvanced
    case .durationLearned: .durationLearned
    case .durationDoubted: .durationDoubted
    case .interstitialsDeclared: .interstitialsDeclared
    case .seekWindowSet: .seekWindowSet
    case .readied: .readied
    case .finished: .finished
    case .suspensionBegan: .suspensionBegan
    case .suspensionEnded: .suspensionEnded
    case .waitingPolicySet: .waitingPolicySet
    case .timelineUnattended: .timelineUnattended
    case .timelineDropped: .timelineDropped
    }
  }

  /// Writes the fields into the event's object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .itemSelected(let item, let source):
      writer.field("item", item)
      writer.field("by", source)
    case .timelineSet(let item, let phase, let rate, let action, let source):
      writer.field("item", item)
      phase.encodeFields(rate: rate, into: &writer)
      writer.field("action", word: action)
      writer.field("by", source)
    case .itemAdvanced(let old, let new, let phase, let rate):
      writer.field("from", old)
      writer.field("item", new)
      phase.encodeFields(rate: rate, into: &writer)
    case .durationLearned(let item, let duration):
      writer.field("item", item)
      writer.field("duration", duration)
    case .durationDoubted(let item, let duration, let source):
      writer.field("item", item)
      writer.field("duration", duration)
      writer.field("by", source)
    case .interstitialsDeclared(let item, let interstitials):
      writer.field("item", item)
      interstitials.encodeField(into: &writer)
    case .seekWindowSet(let item, let window):
      writer.field("item", item)
      window.encodeField(into: &writer)
    case .readied(let participant, let seq), .finished(let participant, let seq):
      writer.field("participant", participant)
      writer.field("answers", seq)
    case .suspensionBegan(let participant, let suspension, let reason, let isImposed):
      writer.field("participant", participant)
      writer.field("suspension", suspension)
      writer.field("reason", reason.text)
      writer.flag("imposed", isImposed)
    case .suspensionEnded(let participant, let suspension):
      writer.field("participant", participant)
      writer.field("suspension", suspension)
    case .waitingPolicySet(let policy, let source):
      writer.field("waitingPolicy", policy)
      writer.field("by", source)
    case .timelineUnattended(let item, let until):
      writer.field("item", item)
      writer.field("until", until)
    case .timelineDropped(let item): writer.field("item", item)
    }
  }

  init(_ change: PlaybackChange, decoding object: JSONObject) throws(DecodingFlaw) {
    switch change {
    case .itemSelected:
      self = .itemSelected(try object.optionalItem(within: .line), by: try object.source())
    case .timelineSet:
      let rate = try object.rate()
      self = .timelineSet(
        try object.item(within: .line), try Timeline.Phase(decoding: object, rate: rate),
        rate: rate, action: try object.choice("action"),
        by: try object.optionalIdentifier("by", within: .line))
    case .itemAdvanced:
      let rate = try object.rate()
      self = .itemAdvanced(
        from: try object.item("from", within: .line), to: try object.item(within: .line),
        try Timeline.Phase(decoding: object, rate: rate), rate: rate)
    case .durationLearned:
      self = .durationLearned(
        try object.item(within: .line), try object.duration("duration", within: .line))
    case .durationDoubted:
      self = .durationDoubted(
        try object.item(within: .line), try object.duration("duration", within: .line),
        by: try object.source())
    case .interstitialsDeclared:
      self = .interstitialsDeclared(
        try object.item(within: .line), try Interstitials(decodingFieldOf: object, within: .line))
    case .seekWindowSet:
      let window = try object.value("seekWindow").object()
      self = .seekWindowSet(
        try object.item(within: .line), try SeekWindow(decoding: window, within: .line))
    case .readied:
      self = .readied(try object.participant(), seq: try object.count("answers"))
    case .finished:
      self = .finished(try object.participant(), seq: try object.count("answers"))
    case .suspensionBegan:
      self = .suspensionBegan(
        try object.participant(), try object.count("suspension"),
        SuspensionReason(try object.word("reason", maximum: .max)),
        isImposed: try object.flag("imposed"))
    case .suspensionEnded:
      self = .suspensionEnded(try object.participant(), try object.count("suspension"))
    case .waitingPolicySet:
      let policy = try WaitingPolicy(decoding: object.value("waitingPolicy"), within: .line)
      self = .waitingPolicySet(policy, by: try object.source())
    case .timelineUnattended:
      self = .timelineUnattended(
        try object.item(within: .line), until: try object.instant("until", within: .line))
    case .timelineDropped: self = .timelineDropped(try object.item(within: .line))
    }
  }
}

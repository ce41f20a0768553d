import JSON
import Playback
import Vocabulary

extension PlaybackEvent: Tagged, Fields {
  static let tag = "event"

  static let cases = CaseTable<PlaybackEvent>(
    Cases.itemSelected, Cases.timelineSet, Cases.itemAdvanced, Cases.durationLearned,
    Cases.durationDoubted, Cases.interstitialsDeclared, Cases.seekWindowSet, Cases.readied,
    Cases.finished, Cases.suspensionBegan, Cases.suspensionEnded, Cases.waitingPolicySet,
    Cases.timelineUnattended, Cases.timelineDropped)

  private enum Cases {
    static let itemSelected = Case("itemSelected", PlaybackEvent.itemSelected, .item, "by")
    static let timelineSet = Case(
      "timelineSet",
      { PlaybackEvent.timelineSet($0, $1.phase, rate: $1.rate, action: $2, by: $3) },
      .item, Field<Pace>.open, "action", "by")
    static let itemAdvanced = Case(
      "itemAdvanced", { PlaybackEvent.itemAdvanced(from: $0, to: $1, $2.phase, rate: $2.rate) },
      .item("from"), .item, Field<Pace>.open)
    static let durationLearned = Case(
      "durationLearned", PlaybackEvent.durationLearned, .item, "duration")
    static let durationDoubted = Case(
      "durationDoubted", PlaybackEvent.durationDoubted, .item, "duration", "by")
    static let interstitialsDeclared = Case(
      "interstitialsDeclared", PlaybackEvent.interstitialsDeclared, .item, "interstitials")
    static let seekWindowSet = Case(
      "seekWindowSet", PlaybackEvent.seekWindowSet, .item, "seekWindow")
    static let readied = Case("readied", PlaybackEvent.readied, "participant", "answers")
    static let finished = Case("finished", PlaybackEvent.finished, "participant", "answers")
    static let suspensionBegan = Case(
      "suspensionBegan", PlaybackEvent.suspensionBegan, "participant", "suspension", "reason",
      .flag("imposed"))
    static let suspensionEnded = Case(
      "suspensionEnded", PlaybackEvent.suspensionEnded, "participant", "suspension")
    static let waitingPolicySet = Case(
      "waitingPolicySet", PlaybackEvent.waitingPolicySet, "waitingPolicy", "by")
    static let timelineUnattended = Case(
      "timelineUnattended", PlaybackEvent.timelineUnattended, .item, "until")
    static let timelineDropped = Case("timelineDropped", PlaybackEvent.timelineDropped, .item)
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .itemSelected(let item, let source):
      Cases.itemSelected.write((item, source), to: &writer)
    case .timelineSet(let item, let phase, let rate, let action, let source):
      Cases.timelineSet.write((item, Pace(phase, rate), action, source), to: &writer)
    case .itemAdvanced(let old, let new, let phase, let rate):
      Cases.itemAdvanced.write((old, new, Pace(phase, rate)), to: &writer)
    case .durationLearned(let item, let duration):
      Cases.durationLearned.write((item, duration), to: &writer)
    case .durationDoubted(let item, let duration, let source):
      Cases.durationDoubted.write((item, duration, source), to: &writer)
    case .interstitialsDeclared(let item, let interstitials):
      Cases.interstitialsDeclared.write((item, interstitials), to: &writer)
    case .seekWindowSet(let item, let window):
      Cases.seekWindowSet.write((item, window), to: &writer)
    case .readied(let participant, let seq): Cases.readied.write((participant, seq), to: &writer)
    case .finished(let participant, let seq): Cases.finished.write((participant, seq), to: &writer)
    case .suspensionBegan(let participant, let suspension, let reason, let isImposed):
      Cases.suspensionBegan.write((participant, suspension, reason, isImposed), to: &writer)
    case .suspensionEnded(let participant, let suspension):
      Cases.suspensionEnded.write((participant, suspension), to: &writer)
    case .waitingPolicySet(let policy, let source):
      Cases.waitingPolicySet.write((policy, source), to: &writer)
    case .timelineUnattended(let item, let until):
      Cases.timelineUnattended.write((item, until), to: &writer)
    case .timelineDropped(let item): Cases.timelineDropped.write(item, to: &writer)
    }
  }
}

extension TimelineAction: CodedWord {}

extension CoordinatedPlayback {
  /// Writes everything but the participants into the session's object.
  func encodeFields(into writer: inout JSONWriter) {
    waitingPolicy.write("waitingPolicy", to: &writer)
    writer.array("timelines") { writer in
      for (item, timeline) in timelines {
        writer.object { writer in
          writer.field("item", item)
          timeline.encodeFields(into: &writer)
        }
      }
    }
    writer.field("nextSuspension", nextSuspension)
  }

  init(
    decoding object: JSONObject, within bounds: FieldBounds,
    participants: SortedMap<ParticipantID, CoordinatedParticipant>
  ) throws(DecodingFlaw) {
    var timelines: SortedMap<ItemID, Timeline> = [:]
    try object.array("timelines", maximum: .max).forEach { (value) throws(DecodingFlaw) in
      let timeline = try value.object()
      timelines[try timeline.read(.item, within: bounds)] = try Timeline(
        decoding: timeline, within: bounds)
    }
    self.init(
      timelines: timelines, participants: participants,
      waitingPolicy: try WaitingPolicy.optional("waitingPolicy", of: object, within: bounds)
        ?? .keepGoing,
      nextSuspension: try object.count("nextSuspension"))
  }
}

extension CoordinatedParticipant {
  /// Writes the fields into the participant's object; `lostUntil` says whether it is connected.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("item", item)
    if readySeq > 0 { writer.field("readySeq", readySeq) }
    if endedSeq > 0 { writer.field("endedSeq", endedSeq) }
    if !suspensions.isEmpty { writer.field("suspensions", suspensions) }
    writer.flag("interrupted", wasInterrupted)
  }

  init(
    decoding object: JSONObject, within bounds: FieldBounds, isConnected: Bool
  ) throws(DecodingFlaw) {
    self.init(
      item: try object.read(.item, within: bounds),
      readySeq: try object.optionalCount("readySeq") ?? 0,
      endedSeq: try object.optionalCount("endedSeq") ?? 0,
      suspensions: try object.optionalList("suspensions", within: bounds),
      isConnected: isConnected,
      wasInterrupted: try object.flag("interrupted"))
  }
}

extension Suspension: Record {
  static let layout = Layout(
    Suspension.init, RecordField("suspension", \.id), RecordField("reason", \.reason),
    RecordField("since", \.since),
    RecordField(.flag("imposed"), \.isImposed))
}

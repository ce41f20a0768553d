import Vocabulary

/// How many bytes a session's playback takes as JSON at most.
///
/// ``CoordinatedPlayback`` counts them with each event, so that a bound can be checked without
/// encoding the session. The fields of numbers, which change with most events, count as if they were
/// all there and as long as they can be.
package struct PlaybackSize: Equatable, Sendable {
  package internal(set) var timelines = 0
  /// The participants' items and suspensions.
  package internal(set) var participants = 0

  /// Counts everything there is.
  init(
    _ timelines: SortedMap<ItemID, Timeline>,
    _ participants: SortedMap<ParticipantID, CoordinatedParticipant>
  ) {
    for (item, timeline) in timelines { self.timelines += timeline.byteBound(of: item) }
    for (_, participant) in participants { self.participants += participant.byteBound }
  }
}

extension Timeline {
  /// An object with all fields of numbers, and the longest phase, `preparing`.
  private static let fixedBytes = 260
  /// A seek window with its instant.
  private static let windowBytes = 120

  /// The bytes with the item's name.
  func byteBound(of item: ItemID) -> Int {
    Self.fixedBytes + item.byteBound + windowBytes + interstitials.byteBound + doubtBytes
  }

  var windowBytes: Int { seekWindow == nil ? 0 : Self.windowBytes }

  /// The bytes of all that participants doubt about its duration.
  var doubtBytes: Int { doubts.reduce(0) { $0 + Self.doubtBytes($1.key) } }

  static func doubtBytes(_ id: ParticipantID) -> Int { 50 + id.byteBound }
}

extension Interstitials {
  /// The bytes of the field with all ranges.
  package var byteBound: Int {
    ranges.reduce(20) { bytes, range in
      bytes + 20 + range.start.microseconds.byteBound + range.end.microseconds.byteBound
    }
  }
}

extension CoordinatedParticipant {
  /// The bytes of its fields in the session's participant.
  var byteBound: Int {
    let numbers = readySeq.byteBound + endedSeq.byteBound
    return Self.fixedBytes + numbers + (item?.byteBound ?? 0)
      + suspensions.reduce(0) { $0 + $1.byteBound }
  }

  /// The names of all fields.
  private static let fixedBytes = 50
}

extension Suspension {
  fileprivate var byteBound: Int { 100 + reason.text.byteBound }
}

extension WaitingPolicy {
  /// The bytes of the field.
  package var byteBound: Int {
    let words = reasons.reduce(0) { $0 + $1.text.byteBound + 1 }
    let limits = participantLimits.reduce(0) { $0 + $1.key.text.byteBound + 22 }
    return 160 + words + limits
  }
}

extension PlaybackEvent {
  /// Whether the event may make the session larger.
  package var mayGrow: Bool {
    switch self {
    case .itemSelected, .itemAdvanced, .interstitialsDeclared, .suspensionBegan: true
    case .timelineSet, .durationLearned, .durationDoubted, .seekWindowSet, .readied, .finished,
      .suspensionEnded, .waitingPolicySet, .timelineUnattended, .timelineDropped:
      false
    }
  }
}

import JSON
import Playback
import Vocabulary

extension CoordinatedPlayback {
  /// Writes all but the participants into the session's object.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("waitingPolicy", waitingPolicy)
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
    decoding object: JSONObject, participants: SortedMap<ParticipantID, CoordinatedParticipant>
  ) throws(DecodingFlaw) {
    var timelines: SortedMap<ItemID, Timeline> = [:]
    try object.array("timelines", maximum: .max).forEach { (value) throws(DecodingFlaw) in
      let timeline = try value.object()
      timelines[try timeline.item(within: .line)] = try Timeline(decoding: timeline)
    }
    self.init(
      timelines: timelines, participants: participants,
      waitingPolicy: try WaitingPolicy(decodingFieldOf: object, within: .line),
      nextSuspension: try object.count("nextSuspension"))
  }
}

extension CoordinatedParticipant {
  /// Writes the fields into the participant's object; being connected is told by not being lost.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("item", item)
    if readySeq > 0 { writer.field("readySeq", readySeq) }
    if endedSeq > 0 { writer.field("endedSeq", endedSeq) }
    guard !suspensions.isEmpty else { return }
    writer.array("suspensions") { writer in
      for suspension in suspensions {
        writer.object { suspension.encodeFields(into: &$0) }
      }
    }
  }

  init(decoding object: JSONObject, isConnected: Bool) throws(DecodingFlaw) {
    self.init(
      item: try object.optionalItem(within: .line),
      readySeq: try object.optionalCount("readySeq") ?? 0,
      endedSeq: try object.optionalCount("endedSeq") ?? 0,
      suspensions: try Self.suspensions(in: object),
      isConnected: isConnected)
  }

  private static func suspensions(in object: JSONObject) throws(DecodingFlaw) -> [Suspension] {
    guard let array = try object.optionalArray("suspensions", maximum: .max) else { return [] }
    return try array.map { (value) throws(DecodingFlaw) in
      try Suspension(decoding: value.object())
    }
  }
}

extension Suspension {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("suspension", id)
    writer.field("reason", reason.text)
    writer.field("since", since)
    writer.flag("imposed", isImposed)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      id: try object.count("suspension"),
      reason: SuspensionReason(try object.word("reason", maximum: .max)),
      since: try object.instant("since", within: .line),
      isImposed: try object.flag("imposed"))
  }
}

import InAppMessaging
import JSON
import Vocabulary
import Wire

extension UserMessaging {
  /// Writes an object; what is empty, or as it is at first, is left out.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("user", id)
    writer.field("seq", seq)
    if !attributes.isEmpty {
      writer.object("attributes") { writer in
        for (key, value) in attributes { writer.field(key, value) }
      }
    }
    if !lists.isEmpty { writer.field("lists", lists) }
    if !collects { writer.field("collecting", false) }
    writer.flag("paused", isPaused)
    writer.field("sessionStart", sessionStart)
    writer.field("lastSeen", lastSeen)
    starts.encodeField(into: &writer)
    history.encodeField(into: &writer)
    writer.list("deliveries", deliveries) { $0.write(to: &$1) }
    writer.list("lapsed", lapsed) { $0.write(to: &$1) }
    writer.list("lost", lost) { lost, writer in
      writer.object { writer in
        writer.field("device", lost.key)
        writer.field("until", lost.value)
      }
    }
    if !failed.isEmpty { writer.field("failed", failed) }
    writer.list("marks", Array(marks)) { mark, writer in
      writer.object { writer in
        mark.key.encodeField(into: &writer)
        mark.value.encodeFields(into: &writer)
      }
    }
    if nextNumber != 1 { writer.field("nextNumber", nextNumber) }
    writer.endObject()
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    var attributes = AttributeTable()
    for (key, value) in try object.properties("attributes") { attributes[key] = value }
    var lost: SortedMap<DeviceID, Instant> = [:]
    for (device, until) in try object.objects(
      "lost",
      { (lost) throws(DecodingFlaw) -> (DeviceID, Instant) in
        (try lost.identifier("device"), try lost.instant("until"))
      })
    { lost[device] = until }
    var marks = MarkTable()
    for (source, mark) in try object.objects(
      "marks",
      { (mark) throws(DecodingFlaw) -> (EventSource, EventMark) in
        (try EventSource(decodingFieldOf: mark), try EventMark(decoding: mark))
      })
    { marks[source] = mark }
    self.init(
      id: try object.identifier("user"), seq: try object.int("seq", in: 0 ... .max),
      attributes: attributes, lists: try object.texts("lists"),
      collects: try object.optionalBool("collecting") ?? true, isPaused: try object.flag("paused"),
      sessionStart: try object.optionalInstant("sessionStart"),
      lastSeen: try object.optionalInstant("lastSeen"),
      starts: try LastStarts(decodingFieldOf: object),
      history: try ImpressionLog(decodingFieldOf: object),
      deliveries: try object.objects("deliveries") { (delivery) throws(DecodingFlaw) in
        try Delivery(decoding: delivery)
      },
      lapsed: try object.objects("lapsed") { (delivery) throws(DecodingFlaw) in
        try Delivery(decoding: delivery)
      },
      lost: lost, failed: try object.texts("failed").map { CampaignID($0) }, marks: marks,
      nextNumber: try object.optionalInt("nextNumber") ?? 1)
  }
}

extension LastStarts {
  fileprivate func encodeField(into writer: inout JSONWriter) {
    guard self != LastStarts() else { return }
    writer.object("starts") { writer in
      writer.field("foreground", foreground)
      writer.field("contextual", contextual)
    }
  }

  fileprivate init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    self.init()
    guard let starts = try object.optionalObject("starts") else { return }
    foreground = try starts.optionalInstant("foreground")
    contextual = try starts.optionalInstant("contextual")
  }
}

extension ImpressionLog {
  /// Writes an object of campaigns; how often one was seen is left out where all instants are there.
  fileprivate func encodeField(into writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.object("history") { writer in
      for campaign in campaigns {
        guard let history = self[campaign] else { continue }
        writer.object(campaign.text) { writer in
          writer.field("last", history.last)
          if !history.earlier.isEmpty { writer.field("earlier", history.earlier) }
          if history.count != history.earlier.count + 1 { writer.field("count", history.count) }
        }
      }
    }
  }

  fileprivate init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    var histories: [(campaign: CampaignID, history: ImpressionHistory)] = []
    try object.optionalObject("history")?.forEachField(nameMaximum: .max) {
      (campaign, history) throws(DecodingFlaw) in
      let history = try ImpressionHistory(decoding: history.object())
      histories.append((CampaignID(campaign), history))
    }
    self.init(histories)
  }
}

extension ImpressionHistory {
  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    var earlier: [Instant] = []
    try object.optionalArray("earlier", maximum: .max)?.forEach { (at) throws(DecodingFlaw) in
      earlier.append(Instant(microseconds: try at.int64()))
    }
    self.init(
      count: try object.optionalInt("count", in: 0 ... .max) ?? earlier.count + 1,
      last: try object.instant("last"), earlier: earlier)
  }
}

extension EventMark {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    if epoch != 0 { writer.field("epoch", Int64(bitPattern: epoch)) }
    if sequence != 0 { writer.field("sequence", sequence) }
    writer.field("at", at)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      epoch: UInt64(bitPattern: try object.optionalInt64("epoch") ?? 0),
      sequence: try object.optionalInt("sequence") ?? 0, at: try object.instant("at"))
  }
}

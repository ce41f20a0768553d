package import InAppMessaging
package import JSON
import Vocabulary

extension UserMessaging: Fields {
  /// Writes an object, for the journal; empty and initial values are left out.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .journal)
  }

  func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", id)
    writer.field("seq", seq)
    if !attributes.isEmpty {
      writer.object("attributes") { writer in
        for (key, value) in attributes { value.write(Field(key), to: &writer) }
      }
    }
    writer.list("lists", lists)
    if !collects { writer.field("collecting", false) }
    writer.flag("paused", isPaused)
    writer.field("sessionStart", sessionStart)
    writer.field("lastSeen", lastSeen)
    if starts != LastStarts() { writer.field("starts", starts) }
    history.encodeField(into: &writer)
    writer.list("deliveries", deliveries)
    writer.list("lapsed", lapsed)
    writer.list("lost", lost.map { LostDevice(device: $0.key, until: $0.value) })
    writer.list("failed", failed)
    writer.list("marks", marks.map { SourceMark(source: $0.key, mark: $0.value) })
    if nextNumber != 1 { writer.field("nextNumber", nextNumber) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    var attributes = AttributeTable()
    for (key, value) in try object.properties("attributes", within: .line) {
      attributes[key] = value
    }
    let devices: [LostDevice] = try object.optionalList("lost", within: bounds)
    var lost: SortedMap<DeviceID, Instant> = [:]
    for one in devices { lost[one.device] = one.until }
    let sources: [SourceMark] = try object.optionalList("marks", within: bounds)
    var marks = MarkTable()
    for one in sources { marks[one.source] = one.mark }
    self.init(
      id: try object.identifier("user", within: bounds),
      seq: try object.int("seq", in: 0 ... .max), attributes: attributes,
      lists: try object.optionalList("lists", within: bounds),
      collects: try object.optionalBool("collecting") ?? true, isPaused: try object.flag("paused"),
      sessionStart: try object.optionalInstant("sessionStart", within: bounds),
      lastSeen: try object.optionalInstant("lastSeen", within: bounds),
      starts: try LastStarts.optional("starts", of: object, within: bounds) ?? LastStarts(),
      history: try ImpressionLog(decodingFieldOf: object, within: bounds),
      deliveries: try object.optionalList("deliveries", within: bounds),
      lapsed: try object.optionalList("lapsed", within: bounds), lost: lost,
      failed: try object.optionalList("failed", within: bounds), marks: marks,
      nextNumber: try object.optionalInt("nextNumber") ?? 1)
  }
}

/// A disconnected device, and until when it may come back.
private struct LostDevice: Record {
  let device: DeviceID
  let until: Instant

  static let layout = Layout(
    LostDevice.init, RecordField("device", \.device), RecordField("until", \.until))
}

/// The last event from a source.
private struct SourceMark: Record {
  let source: EventSource
  let mark: EventMark

  static let layout = Layout(
    SourceMark.init, RecordField(.open, \.source), RecordField(.open, \.mark))
}

extension LastStarts: Record {
  static let layout = Layout(
    LastStarts.init, RecordField("foreground", \.foreground),
    RecordField("contextual", \.contextual))
}

extension ImpressionLog: OwnField {
  /// Writes an object of campaigns; a campaign's count is left out if it equals the number of its
  /// instants.
  func encodeField(into writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.object("history") { writer in
      for campaign in campaigns {
        guard let history = self[campaign] else { continue }
        writer.field(campaign.text, history)
      }
    }
  }

  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    var histories: [(campaign: CampaignID, history: ImpressionHistory)] = []
    try object.optionalObject("history")?.forEachField(nameMaximum: .max) {
      (campaign, history) throws(DecodingFlaw) in
      let history = try ImpressionHistory(decoding: history.object(), within: bounds)
      histories.append((CampaignID(campaign), history))
    }
    self.init(histories)
  }
}

extension ImpressionHistory: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("last", last)
    writer.list("earlier", earlier)
    if count != earlier.count + 1 { writer.field("count", count) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let earlier: [Instant] = try object.optionalList("earlier", within: bounds)
    self.init(
      count: try object.optionalInt("count", in: 0 ... .max) ?? earlier.count + 1,
      last: try object.instant("last", within: bounds), earlier: earlier)
  }
}

extension EventMark: Record {
  static let layout = Layout(
    EventMark.init, RecordField("epoch", \.epoch, absent: 0),
    RecordField("sequence", \.sequence, absent: 0),
    RecordField("at", \.at))
}

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
    starts.encodeField(into: &writer)
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
      starts: try LastStarts(decodingFieldOf: object, within: bounds),
      history: try ImpressionLog(decodingFieldOf: object, within: bounds),
      deliveries: try object.optionalList("deliveries", within: bounds),
      lapsed: try object.optionalList("lapsed", within: bounds), lost: lost,
      failed: try object.optionalList("failed", within: bounds), marks: marks,
      nextNumber: try object.optionalInt("nextNumber") ?? 1)
  }
}

/// A disconnected device, and until when it may come back.
private struct LostDevice: Fields {
  let device: DeviceID
  let until: Instant

  init(device: DeviceID, until: Instant) {
    self.device = device
    self.until = until
  }

  func encodeFields(into writer: inout JSONWriter) {
    writer.field("device", device)
    writer.field("until", until)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    device = try object.identifier("device", within: bounds)
    until = try object.instant("until", within: bounds)
  }
}

/// The last event from a source.
private struct SourceMark: Fields {
  let source: EventSource
  let mark: EventMark

  init(source: EventSource, mark: EventMark) {
    self.source = source
    self.mark = mark
  }

  func encodeFields(into writer: inout JSONWriter) {
    source.encodeFields(into: &writer)
    mark.encodeFields(into: &writer)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    source = try EventSource(decoding: object, within: bounds)
    mark = try EventMark(decoding: object, within: bounds)
  }
}

extension LastStarts: OwnField {
  func encodeField(into writer: inout JSONWriter) {
    guard self != LastStarts() else { return }
    writer.object("starts") { writer in
      writer.field("foreground", foreground)
      writer.field("contextual", contextual)
    }
  }

  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init()
    guard let starts = try object.optionalObject("starts") else { return }
    foreground = try starts.optionalInstant("foreground", within: bounds)
    contextual = try starts.optionalInstant("contextual", within: bounds)
  }
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

extension EventMark: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    if epoch != 0 { writer.field("epoch", Int64(bitPattern: epoch)) }
    if sequence != 0 { writer.field("sequence", sequence) }
    writer.field("at", at)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      epoch: UInt64(bitPattern: try object.optionalInt64("epoch") ?? 0),
      sequence: try object.optionalInt("sequence") ?? 0,
      at: try object.instant("at", within: bounds))
  }
}

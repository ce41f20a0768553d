import JSON

/// A line from mpv.
enum MpvMessage: Equatable, Sendable {
  /// The reply to the command with this request number.
  case reply(id: Int64, MpvReply)
  /// An observed property has this value now.
  case changed(MpvProperty, MpvValue)
  /// mpv has begun to open this entry of its playlist.
  case startedFile(entry: Int64)
  /// The entry was closed; `error` is set if that was the reason.
  case endedFile(entry: Int64, error: String?, isQuitting: Bool)
  case seek
  /// Playback has reached a new position, after opening an item or after a seek.
  case playbackRestart
  /// Any message that is not used here.
  case other

  /// Decodes a line.
  ///
  /// - Throws: a flaw only if the line contradicts mpv's manual.
  init(_ line: JSONObject) throws(DecodingFlaw) {
    if let event = try line.optionalString("event", maximum: Self.textBytesMaximum) {
      self = try Self.event(event, line)
    } else if let id = try line.optionalInt64("request_id") {
      let error = try line.string("error", maximum: Self.textBytesMaximum)
      let data = line.optionalValue("data")
      self =
        try error == "success"
        ? .reply(id: id, .done(MpvValue(data))) : .reply(id: id, .refused(error))
    } else {
      self = .other
    }
  }

  /// All texts decoded here are mpv's own words; the longest has about 40 bytes.
  private static let textBytesMaximum = 1024

  private static func event(
    _ name: String, _ line: JSONObject
  ) throws(DecodingFlaw) -> MpvMessage {
    switch name {
    case "property-change":
      let name = try line.string("name", maximum: textBytesMaximum)
      guard let property = MpvProperty(rawValue: name) else { return .other }
      return .changed(property, try MpvValue(line.optionalValue("data")))
    case "start-file": return .startedFile(entry: try line.int64("playlist_entry_id"))
    case "end-file":
      let reason = try line.string("reason", maximum: textBytesMaximum)
      let error = try line.optionalString("file_error", maximum: textBytesMaximum)
      return .endedFile(
        entry: try line.int64("playlist_entry_id"),
        error: reason == "error" ? error ?? "it cannot be played" : nil,
        isQuitting: reason == "quit")
    case "seek": return .seek
    case "playback-restart": return .playbackRestart
    default: return .other
    }
  }
}

/// The result of a command.
enum MpvReply: Equatable, Sendable {
  /// It succeeded, with this value.
  case done(MpvValue)
  /// It failed, for example because the property is not available.
  case refused(String)

  /// The number in the reply, if there is one.
  var number: Double? {
    if case .done(.number(let number)) = self { number } else { nil }
  }
}

/// A property's value or a command's result, limited to the types used here.
enum MpvValue: Equatable, Sendable {
  case none
  case flag(Bool)
  case number(Double)
  /// The number of an entry in mpv's playlist.
  case entry(Int64)

  init(_ value: borrowing JSONValue?) throws(DecodingFlaw) {
    guard let value = copy value else {
      self = .none
      return
    }
    switch value.type {
    case .boolean: self = .flag(try value.bool())
    case .integer, .number: self = .number(try value.double())
    case .object:
      let entry = try value.object().optionalInt64("playlist_entry_id")
      self = entry.map { .entry($0) } ?? .none
    default: self = .none
    }
  }
}

import JSON
import Vocabulary

/// A line from mpv.
enum MpvMessage: Equatable, Sendable {
  /// The reply to the command with this request number.
  case reply(id: Int64, MpvReply)
  /// An observed property has this value now.
  case changed(MpvProperty, MpvValue)
  /// mpv has begun to open this entry of its playlist.
  case startedFile(entry: Int64)
  /// The entry was closed.
  case endedFile(entry: Int64, MpvEnd)
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
  fileprivate static let textBytesMaximum = 1024

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
      return .endedFile(entry: try line.int64("playlist_entry_id"), try MpvEnd(line))
    case "seek": return .seek
    case "playback-restart": return .playbackRestart
    default: return .other
    }
  }
}

/// Why mpv closed an entry of its playlist.
enum MpvEnd: Equatable, Sendable {
  case failed(String)
  case quitting
  /// It is a list, whose entries have taken its place.
  case list
  /// mpv went on to another entry, or was told to stop.
  case displaced

  fileprivate init(_ line: JSONObject) throws(DecodingFlaw) {
    switch try line.string("reason", maximum: MpvMessage.textBytesMaximum) {
    case "error":
      let error = try line.optionalString("file_error", maximum: MpvMessage.textBytesMaximum)
      self = .failed(error ?? "it cannot be played")
    case "quit": self = .quitting
    case "redirect": self = .list
    default: self = .displaced
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
  case cache(MpvCache)

  init(_ value: borrowing JSONValue?) throws(DecodingFlaw) {
    guard let value = copy value else {
      self = .none
      return
    }
    switch value.type {
    case .boolean: self = .flag(try value.bool())
    case .integer, .number: self = .number(try value.double())
    case .object:
      let object = try value.object()
      if let entry = try object.optionalInt64("playlist_entry_id") {
        self = .entry(entry)
      } else if let isWhole = try object.optionalBool("eof") {
        self = .cache(MpvCache(end: try object.optionalDouble("cache-end"), isWhole: isWhole))
      } else {
        self = .none
      }
    default: self = .none
    }
  }
}

/// How much of an item mpv has read.
struct MpvCache: Equatable, Sendable {
  /// Up to where, in seconds; `nil` if mpv does not know it.
  var end: Double?
  /// Whether mpv has read up to the item's end.
  var isWhole: Bool

  /// Whether a duration is the item's, and not only how much mpv has read.
  ///
  /// Measured with mpv 0.35: for a live stream over HLS, 5.99 s with 5.99 s read, and two seconds more
  /// with each segment. For a film, with or without byte ranges, its length from the beginning.
  func knows(_ duration: Duration) -> Bool {
    guard !isWhole, let end else { return true }
    return duration > MediaTime.seconds(end) - .zero
  }
}

import GroupSessions
import JSON
import Vocabulary

extension QueueCommand {
  /// Writes the fields into the request's object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .insert(let media, let position):
      writer.field("media", media)
      position.encodeField(into: &writer)
    case .move(let entry, let position):
      writer.field("entry", entry)
      position.encodeField(into: &writer)
    case .remove(let entry), .select(let entry): writer.field("entry", entry)
    case .setRepeat(let mode): writer.field("repeat", word: mode)
    case .setAutoAdvance(let isOn): writer.field("autoAdvance", isOn)
    case .next(let from), .previous(let from): writer.field("from", from)
    case .clear, .shuffle, .unshuffle: break
    }
  }

  var verb: QueueVerb {
    switch self {
    case .insert: .insert
    case .move: .move
    case .remove: .removeEntry
    case .clear: .clearQueue
    case .select: .select
    case .next: .next
    case .previous: .previous
    case .setRepeat: .setRepeat
    case .shuffle: .shuffle
    case .unshuffle: .unshuffle
    case .setAutoAdvance: .setAutoAdvance
    }
  }

  /// A shuffle comes with the seed 0: the server puts its own there.
  init(
    _ verb: QueueVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch verb {
    case .insert:
      let media = try object.array("media", maximum: bounds.queueEntries).map {
        (value) throws(DecodingFlaw) in
        try MediaItem(decoding: value.object(), within: bounds)
      }
      self = .insert(media, at: try QueuePosition(decodingFieldOf: object, within: bounds))
    case .move:
      self = .move(
        try object.identifier("entry", within: bounds),
        to: try QueuePosition(decodingFieldOf: object, within: bounds))
    case .removeEntry: self = .remove(try object.identifier("entry", within: bounds))
    case .clearQueue: self = .clear
    case .select: self = .select(try object.identifier("entry", within: bounds))
    case .next: self = .next(from: try object.optionalIdentifier("from", within: bounds))
    case .previous: self = .previous(from: try object.optionalIdentifier("from", within: bounds))
    case .setRepeat: self = .setRepeat(try object.choice("repeat"))
    case .shuffle: self = .shuffle(seed: 0)
    case .unshuffle: self = .unshuffle
    case .setAutoAdvance: self = .setAutoAdvance(try object.bool("autoAdvance"))
    }
  }
}

extension QueuePosition {
  /// Writes the field `position`, unless it is the end.
  func encodeField(into writer: inout JSONWriter) {
    switch self {
    case .end: break
    case .next: writer.field("position", "next")
    case .after(let entry): writer.object("position") { $0.field("after", entry) }
    }
  }

  /// Reads the field `position`: "end", "next", or an object with `after`; absent is the end.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let value = object.optionalValue("position") else {
      self = .end
      return
    }
    guard value.type == .string else {
      self = .after(try value.object().identifier("after", within: bounds))
      return
    }
    switch try value.string(maximum: bounds.identifierBytes) {
    case "end": self = .end
    case "next": self = .next
    default: throw value.outOfRange(allowed: "'end', 'next' or an object with 'after'")
    }
  }
}

import GroupSessions
import JSON
import Vocabulary

extension QueueEvent {
  /// How the event is spelled.
  var change: QueueChange {
    switch self {
    case .inserted: .inserted
    case .moved: .moved
    case .removed: .entryRemoved
    case .cleared: .queueCleared
    case .selected: .selected
    case .repeatSet: .repeatSet
    case .shuffled: .shuffled
    case .unshuffled: .unshuffled
    case .autoAdvanceSet: .autoAdvanceSet
    }
  }

  /// Writes the fields into the event's object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .inserted(let entries, let anchor):
      writer.field("entries", entries)
      writer.field("after", anchor)
    case .moved(let entry, let anchor):
      writer.field("entry", entry)
      writer.field("after", anchor)
    case .removed(let entry), .selected(let entry): writer.field("entry", entry)
    case .repeatSet(let mode): writer.field("repeat", word: mode)
    case .shuffled(let order): writer.field("order", order)
    case .autoAdvanceSet(let isOn): writer.field("autoAdvance", isOn)
    case .cleared, .unshuffled: break
    }
  }

  init(_ change: QueueChange, decoding object: JSONObject) throws(DecodingFlaw) {
    switch change {
    case .inserted:
      self = .inserted(
        try QueueEntry.entries(in: object),
        after: try object.optionalIdentifier("after", within: .line))
    case .moved:
      self = .moved(
        try object.identifier("entry", within: .line),
        after: try object.optionalIdentifier("after", within: .line))
    case .entryRemoved: self = .removed(try object.identifier("entry", within: .line))
    case .queueCleared: self = .cleared
    case .selected: self = .selected(try object.identifier("entry", within: .line))
    case .repeatSet: self = .repeatSet(try object.choice("repeat"))
    case .shuffled: self = .shuffled(try object.entryIDs("order"))
    case .unshuffled: self = .unshuffled
    case .autoAdvanceSet: self = .autoAdvanceSet(try object.bool("autoAdvance"))
    }
  }
}

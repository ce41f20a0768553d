package import GroupSessions
package import JSON
import Vocabulary

extension Queue: JSONWritable {
  /// Writes an object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("entries", entries)
      writer.field("current", current)
      writer.field("repeat", word: repeatMode)
      writer.field("autoAdvance", isAutoAdvancing)
      writer.field("unshuffled", unshuffledOrder)
      writer.field("nextNumber", nextNumber)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      entries: try QueueEntry.entries(in: object),
      current: try object.optionalIdentifier("current", within: .line),
      repeatMode: try object.choice("repeat"),
      isAutoAdvancing: try object.bool("autoAdvance"),
      unshuffledOrder: try object.has("unshuffled") ? object.entryIDs("unshuffled") : nil,
      nextNumber: try object.count("nextNumber"))
  }
}

extension QueueEntry: JSONWritable {
  /// Writes an object: the entry's own fields among those of its media.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("entry", id)
      media.encodeFields(into: &writer)
      writer.field("addedBy", addedBy)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      id: try object.identifier("entry", within: .line),
      media: try MediaItem(decoding: object, within: .line),
      addedBy: try object.optionalIdentifier("addedBy", within: .line))
  }

  /// Reads the field `entries`.
  static func entries(in object: JSONObject) throws(DecodingFlaw) -> [QueueEntry] {
    try object.array("entries", maximum: .max).map { (value) throws(DecodingFlaw) in
      try QueueEntry(decoding: value.object())
    }
  }
}

extension JSONObject {
  /// An array of entries' identifiers.
  func entryIDs(_ name: String) throws(DecodingFlaw) -> [EntryID] {
    try array(name, maximum: .max).map { (value) throws(DecodingFlaw) -> EntryID in
      try value.identifier(within: .line)
    }
  }
}

import GroupSessions
import JSON
import Vocabulary

extension QueueCommand: Tagged {
  static let tag = "type"

  static let cases = CaseTable<QueueCommand>(
    Cases.insert, Cases.move, Cases.remove, Cases.clear, Cases.select, Cases.next, Cases.previous,
    Cases.setRepeat, Cases.shuffle, Cases.unshuffle, Cases.setAutoAdvance)

  private enum Cases {
    static let insert = Case(
      "insert", QueueCommand.insert, .bounded("media", by: \.queueEntries), "position")
    static let move = Case("move", QueueCommand.move, "entry", "position")
    static let remove = Case("removeEntry", QueueCommand.remove, "entry")
    static let clear = Case("clearQueue", QueueCommand.clear)
    static let select = Case("select", QueueCommand.select, "entry")
    static let next = Case("next", QueueCommand.next, "from")
    static let previous = Case("previous", QueueCommand.previous, "from")
    static let setRepeat = Case("setRepeat", QueueCommand.setRepeat, "repeat")
    /// The server replaces the seed.
    static let shuffle = Case("shuffle", QueueCommand.shuffle(seed: 0))
    static let unshuffle = Case("unshuffle", QueueCommand.unshuffle)
    static let setAutoAdvance = Case("setAutoAdvance", QueueCommand.setAutoAdvance, "autoAdvance")
  }

  func encodeFields(_ head: RequestHead, into writer: inout JSONWriter) {
    switch self {
    case .insert(let media, let position):
      Cases.insert.write((media, position), head, to: &writer)
    case .move(let entry, let position): Cases.move.write((entry, position), head, to: &writer)
    case .remove(let entry): Cases.remove.write(entry, head, to: &writer)
    case .clear: Cases.clear.write(head, to: &writer)
    case .select(let entry): Cases.select.write(entry, head, to: &writer)
    case .next(let entry): Cases.next.write(entry, head, to: &writer)
    case .previous(let entry): Cases.previous.write(entry, head, to: &writer)
    case .setRepeat(let mode): Cases.setRepeat.write(mode, head, to: &writer)
    case .shuffle: Cases.shuffle.write(head, to: &writer)
    case .unshuffle: Cases.unshuffle.write(head, to: &writer)
    case .setAutoAdvance(let isOn): Cases.setAutoAdvance.write(isOn, head, to: &writer)
    }
  }
}

extension RepeatMode: CodedWord {}

extension QueuePosition: OwnField {
  /// Writes the field `position`, unless it is the end.
  func encodeField(into writer: inout JSONWriter) {
    switch self {
    case .end: break
    case .next: writer.field("position", "next")
    case .after(let entry): writer.object("position") { $0.field("after", entry) }
    }
  }

  /// Reads the field `position`: "end", "next", or an object with `after`; absent means the end.
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

extension QueueEvent: Tagged, Fields {
  static let tag = "event"

  static let cases = CaseTable<QueueEvent>(
    Cases.inserted, Cases.moved, Cases.removed, Cases.cleared, Cases.selected, Cases.repeatSet,
    Cases.shuffled, Cases.unshuffled, Cases.autoAdvanceSet)

  private enum Cases {
    static let inserted = Case("inserted", QueueEvent.inserted, "entries", "after")
    static let moved = Case("moved", QueueEvent.moved, "entry", "after")
    static let removed = Case("entryRemoved", QueueEvent.removed, "entry")
    static let cleared = Case("queueCleared", QueueEvent.cleared)
    static let selected = Case("selected", QueueEvent.selected, "entry")
    static let repeatSet = Case("repeatSet", QueueEvent.repeatSet, "repeat")
    static let shuffled = Case("shuffled", QueueEvent.shuffled, "order")
    static let unshuffled = Case("unshuffled", QueueEvent.unshuffled)
    static let autoAdvanceSet = Case("autoAdvanceSet", QueueEvent.autoAdvanceSet, "autoAdvance")
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .inserted(let entries, let anchor): Cases.inserted.write((entries, anchor), to: &writer)
    case .moved(let entry, let anchor): Cases.moved.write((entry, anchor), to: &writer)
    case .removed(let entry): Cases.removed.write(entry, to: &writer)
    case .cleared: Cases.cleared.write(to: &writer)
    case .selected(let entry): Cases.selected.write(entry, to: &writer)
    case .repeatSet(let mode): Cases.repeatSet.write(mode, to: &writer)
    case .shuffled(let order): Cases.shuffled.write(order, to: &writer)
    case .unshuffled: Cases.unshuffled.write(to: &writer)
    case .autoAdvanceSet(let isOn): Cases.autoAdvanceSet.write(isOn, to: &writer)
    }
  }
}

extension Queue: Record {
  static let layout = Layout(
    Queue.init, RecordField("entries", \.entries), RecordField("current", \.current),
    RecordField("repeat", \.repeatMode), RecordField("autoAdvance", \.isAutoAdvancing),
    RecordField("unshuffled", \.unshuffledOrder), RecordField("nextNumber", \.nextNumber))
}

extension QueueEntry: Record {
  static let layout = Layout(
    QueueEntry.init, RecordField("entry", \.id), RecordField(.open, \.media),
    RecordField("addedBy", \.addedBy))
}

import GroupSessions
import Playback
import UserNotifications
import Vocabulary

/// Where objects are: a session has its parts, a group what apps keep in it.
enum Bucket: Equatable, Sendable {
  case session(SessionID)
  case group(GroupID)
}

extension ServerObject {
  var bucket: Bucket {
    switch self {
    case .part(_, let session): .session(session)
    case .own(_, let group): .group(group)
    }
  }
}

/// What subscribers to a bucket's objects were last told.
struct ToldObjects: Equatable, Sendable {
  private(set) var objects: SortedMap<ServerObject, ToldObject> = [:]

  var isEmpty: Bool { objects.isEmpty }

  subscript(object: ServerObject) -> ToldObject? {
    get { objects[object] }
    set { objects[object] = newValue }
  }

  /// What each subscriber follows.
  var subscribers: SortedMap<UserID, [ServerObject]> {
    var all: SortedMap<UserID, [ServerObject]> = [:]
    for (object, told) in objects {
      for user in told.subscribers { all[user] = (all[user] ?? []) + [object] }
    }
    return all
  }
}

/// What the subscribers of one object were last told.
struct ToldObject: Equatable, Sendable {
  var subscribers: Set<UserID> = []
  var state: ObjectState
}

/// An object as it was after an event.
struct ObjectState: Equatable, Sendable {
  /// The number of the event.
  let version: Int64
  let fields: [String: PayloadValue]

  /// The difference to a later state; `nil` if there is none.
  func delta(to state: ObjectState) -> StateDelta? {
    guard state.version != version else { return nil }
    var changes = state.fields.filter { fields[$0.key] != $0.value }
    for name in fields.keys where state.fields[name] == nil { changes[name] = .null }
    guard !changes.isEmpty else { return nil }
    return StateDelta(from: version, to: state.version, changes: changes)
  }
}

/// A value that is usually absent; it is indirect, so that its absence takes one word.
enum Rare<Value: Sendable>: Sendable {
  case absent
  indirect case present(Value)

  var isPresent: Bool {
    if case .present = self { true } else { false }
  }

  var value: Value? {
    if case .present(let value) = self { value } else { nil }
  }

  /// Changes the value in place, without a copy.
  ///
  /// - Parameter initial: the value if it is absent.
  @discardableResult
  mutating func change<Result>(
    orIn initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
    var value = value ?? initial()
    self = .absent
    defer { self = .present(value) }
    return body(&value)
  }
}

extension SessionPart {
  /// The most names listed: about what a screen shows.
  private static let mostNames = 32

  /// The fields of this part of a session; each may change on its own.
  func fields(of session: GroupSession) -> [String: PayloadValue] {
    switch self {
    case .state: Self.state(of: session)
    case .queue: Self.queue(of: session.queue)
    }
  }

  private static func state(of session: GroupSession) -> [String: PayloadValue] {
    let people = session.people.sorted { ($0.joinedAt, $0.id) < ($1.joinedAt, $1.id) }
    var fields: [String: PayloadValue] = [
      "type": .string(session.activity.type),
      "title": .string(session.activity.metadata.title),
      "revision": .integer(Int64(session.revision)),
      "initiator": .string(session.initiator.name),
      "staged": .bool(session.state == .staged),
      "people": .integer(Int64(people.count)),
      "names": .list(people.prefix(mostNames).map { .string($0.name) }),
    ]
    fields["item"] = session.activity.media.map { .string($0.item.text) }
    fields["url"] = session.activity.media.map { .string($0.url) }
    if let item = session.activity.media?.item, let timeline = session.playback.timelines[item] {
      write(timeline, to: &fields)
    }
    return fields
  }

  /// Writes the item's position, and for a playing item the instant `at` of that position; both in
  /// microseconds.
  private static func write(_ timeline: Timeline, to fields: inout [String: PayloadValue]) {
    let (phase, position): (String, MediaTime)
    switch timeline.phase {
    case .paused(let at): (phase, position) = ("paused", at)
    case .preparing(let barrier): (phase, position) = ("preparing", barrier.from)
    case .playing(let anchor):
      (phase, position) = ("playing", anchor.mediaTime)
      fields["at"] = .integer(anchor.at.microseconds)
    case .ended(let at): (phase, position) = ("ended", at)
    }
    fields["phase"] = .string(phase)
    fields["mediaTime"] = .integer(position.microseconds)
    fields["rate"] = .number(Double(timeline.rate.thousandths) / 1_000)
  }

  private static func queue(of queue: Queue) -> [String: PayloadValue] {
    var fields: [String: PayloadValue] = [
      "order": .list(queue.entries.map { .string($0.id.text) }),
      "repeat": .string(queue.repeatMode.rawValue),
      "shuffled": .bool(queue.unshuffledOrder != nil),
      "autoAdvance": .bool(queue.isAutoAdvancing),
    ]
    fields["current"] = queue.current.map { .string($0.text) }
    for entry in queue.entries {
      var media: [String: PayloadValue] = ["url": .string(entry.media.url)]
      media["title"] = entry.media.title.map(PayloadValue.string)
      fields["entry.\(entry.id)"] = .dictionary(media)
    }
    return fields
  }
}

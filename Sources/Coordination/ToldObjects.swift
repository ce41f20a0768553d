import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

/// What subscribers to a session's parts were last told.
struct ToldObjects: Equatable, Sendable {
  private var objects: [SessionObject.Part: ToldObject] = [:]

  var isEmpty: Bool { objects.isEmpty }

  /// The subscribers of all parts, sorted.
  var subscribers: [UserID] {
    objects.values.reduce(into: Set()) { $0.formUnion($1.subscribers) }.sorted()
  }

  subscript(part: SessionObject.Part) -> ToldObject? {
    get { objects[part] }
    set { objects[part] = newValue }
  }
}

/// What the subscribers of one part were last told.
struct ToldObject: Equatable, Sendable {
  var subscribers: Set<UserID> = []
  /// The number of the last event that `fields` reflects.
  var version: Int64
  var fields: [String: PayloadValue]

  /// The difference to the part's current fields; `nil` if there is none.
  func delta(to fields: [String: PayloadValue], version: Int64) -> StateDelta? {
    var changes = fields.filter { self.fields[$0.key] != $0.value }
    for name in self.fields.keys where fields[name] == nil { changes[name] = .null }
    guard !changes.isEmpty else { return nil }
    return StateDelta(from: self.version, to: version, changes: changes)
  }
}

// Notifications about a session for people outside it: a silent notification for each change of the
// part that a person subscribed to.

extension Groups {
  /// Subscribes a person to a part.
  mutating func follow(_ object: SessionObject, by user: UserID) {
    guard let session = sessions[object.session]?.session else {
      // The session ended before the subscription was stored.
      return turn.say(.people(.partsOver(object.session, of: user)))
    }
    var told = sessions[object.session]?.told.value ?? ToldObjects()
    var part =
      told[object.part]
      ?? ToldObject(version: Int64(session.seq), fields: object.part.fields(of: session))
    part.subscribers.insert(user)
    told[object.part] = part
    sessions[object.session]?.told = .present(told)
  }

  /// Unsubscribes a person from a part.
  mutating func forget(_ object: SessionObject, by user: UserID) {
    guard var told = sessions[object.session]?.told.value else { return }
    told[object.part]?.subscribers.remove(user)
    if told[object.part]?.subscribers.isEmpty == true { told[object.part] = nil }
    sessions[object.session]?.told = told.isEmpty ? .absent : .present(told)
  }

  /// Notifies the subscribers of the parts that changed.
  ///
  /// - Parameter isRetold: whether to notify without a change and without the difference, because
  ///   the server restarted and does not know what it told last.
  mutating func tellChanges(of id: SessionID, isRetold: Bool = false) {
    guard let session = sessions[id]?.session, var told = sessions[id]?.told.value else { return }
    if case .ended = session.state { return }
    let version = Int64(session.seq)
    for part in SessionObject.Part.allCases {
      guard let old = told[part] else { continue }
      let fields = part.fields(of: session)
      let delta = old.delta(to: fields, version: version)
      guard delta != nil || isRetold else { continue }
      told[part]?.fields = fields
      told[part]?.version = version
      sessions[id]?.told = .present(told)
      let object = SessionObject(part, of: id)
      let notification = change(of: object, in: session.group, isRetold ? nil : delta, version)
      for user in old.subscribers.sorted() {
        turn.say(.people(.post(notification, to: user, isOptional: true)))
      }
    }
  }

  /// The notification of a change; a difference that is too large is left out, and the subscriber
  /// fetches the object.
  private func change(
    of object: SessionObject, in group: GroupID, _ delta: StateDelta?, _ version: Int64
  ) -> RemoteNotification {
    let change = object.change(
      .objectUpdated, group: group, modified: turn.now, appID: notifications.appID)
    let payload = change.payload(at: turn.now)
    var full = payload
    delta?.write(to: &full)
    let isTooLarge = full.jsonByteCount > notifications.policy.payloadBytes
    let collapseID = "c-\(object.part.rawValue)-\(object.session)"
    return RemoteNotification(
      id: NotificationID("\(collapseID)-\(version)"), date: turn.now,
      payload: isTooLarge ? payload : full,
      collapseID: collapseID)
  }

  /// Notifies the subscribers that the session ended, and ends their subscriptions.
  mutating func tellEnd(of id: SessionID, in group: GroupID) {
    guard let told = sessions[id]?.told.value else { return }
    let change = SessionObject(.state, of: id).change(
      .bucketDeleted, group: group, modified: turn.now, appID: notifications.appID)
    let notification = RemoteNotification(
      id: NotificationID("c-\(id)"), date: turn.now, payload: change.payload(at: turn.now),
      collapseID: "c-\(id)")
    for user in told.subscribers {
      turn.say(.people(.post(notification, to: user)))
      turn.say(.people(.partsOver(id, of: user)))
    }
  }

  /// Answers with a part's current state; reads only, and is not remembered.
  mutating func tellState(
    of object: SessionObject, to seat: Seat, _ done: Reply
  ) throws(ProtocolError) {
    guard let session = sessions[object.session]?.session, mayRead(session, object, seat) else {
      throw unknownSession(object.session)
    }
    let told = sessions[object.session]?.told.value?[object.part]
    let version = told?.version ?? Int64(session.seq)
    let fields = told?.fields ?? object.part.fields(of: session)
    turn.send(.objectState(done.id, object, version: version, fields), to: seat.device)
  }

  /// Members may read, and subscribers who were members when they subscribed.
  private func mayRead(_ session: GroupSession, _ object: SessionObject, _ seat: Seat) -> Bool {
    let told = sessions[object.session]?.told.value?[object.part]
    return seat.group == session.group || told?.subscribers.contains(seat.user) == true
  }
}

extension SessionObject.Part {
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
}

import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

/// What those who follow a session's parts by notifications were told last.
struct ToldObjects: Equatable, Sendable {
  private var objects: [SessionObject.Part: ToldObject] = [:]

  var isEmpty: Bool { objects.isEmpty }

  /// All who follow a part, in order.
  var subscribers: [UserID] {
    objects.values.reduce(into: Set()) { $0.formUnion($1.subscribers) }.sorted()
  }

  subscript(part: SessionObject.Part) -> ToldObject? {
    get { objects[part] }
    set { objects[part] = newValue }
  }
}

/// What those who follow one part of a session were told last.
struct ToldObject: Equatable, Sendable {
  var subscribers: Set<UserID> = []
  /// The number of the event after which the part was like this.
  var version: Int64
  var fields: [String: PayloadValue]

  /// The difference to how the part is now; `nil` if there is none.
  func delta(to fields: [String: PayloadValue], version: Int64) -> StateDelta? {
    var changes = fields.filter { self.fields[$0.key] != $0.value }
    for name in self.fields.keys where fields[name] == nil { changes[name] = .null }
    guard !changes.isEmpty else { return nil }
    return StateDelta(from: self.version, to: version, changes: changes)
  }
}

// What people hear of a session without taking part: a silent notification for each change of the
// part that they follow.

extension Groups {
  /// From here on a person hears of a part's changes.
  mutating func follow(_ object: SessionObject, by user: UserID) {
    guard let session = sessions[object.session]?.session else {
      // It was over before the subscription was kept.
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

  /// A person hears of a part's changes no more.
  mutating func forget(_ object: SessionObject, by user: UserID) {
    guard var told = sessions[object.session]?.told.value else { return }
    told[object.part]?.subscribers.remove(user)
    if told[object.part]?.subscribers.isEmpty == true { told[object.part] = nil }
    sessions[object.session]?.told = told.isEmpty ? .absent : .present(told)
  }

  /// Some of a session's events are kept: whoever follows what they changed hears of it.
  ///
  /// - Parameter isRetold: whether it is told though nothing changed, since the server was away and
  ///   does not know what was told last; then without the difference.
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

  /// A difference that is too large is left out: whoever hears of the change fetches the object.
  private func change(
    of object: SessionObject, in group: GroupID, _ delta: StateDelta?, _ version: Int64
  ) -> RemoteNotification {
    let change = object.change(
      .objectUpdated, group: group, modified: turn.now, appID: notifications.appID)
    let payload = change.payload(at: turn.now)
    var full = payload
    delta?.write(to: &full)
    let isTooLarge = full.jsonByteCount > notifications.policy.payloadBytes
    let place = "c-\(object.part.rawValue)-\(object.session)"
    return RemoteNotification(
      id: NotificationID("\(place)-\(version)"), date: turn.now,
      payload: isTooLarge ? payload : full,
      collapseID: place)
  }

  /// A session is over: those who follow it hear so, and follow it no more.
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

  /// Tells a part of a session as it is; changes nothing, and is not remembered.
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

  /// Members may, and whoever subscribed when they were one.
  private func mayRead(_ session: GroupSession, _ object: SessionObject, _ seat: Seat) -> Bool {
    let told = sessions[object.session]?.told.value?[object.part]
    return seat.group == session.group || told?.subscribers.contains(seat.user) == true
  }
}

extension SessionObject.Part {
  /// People named at most: what a screen lists.
  private static let mostNames = 32

  /// What is told of this part of a session; each field by itself may change.
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

  /// Where the item stands: from `at` on, of what is playing; both in microseconds.
  private static func write(_ timeline: Timeline, to fields: inout [String: PayloadValue]) {
    let (phase, place): (String, MediaTime)
    switch timeline.phase {
    case .paused(let at): (phase, place) = ("paused", at)
    case .preparing(let barrier): (phase, place) = ("preparing", barrier.from)
    case .playing(let anchor):
      (phase, place) = ("playing", anchor.mediaTime)
      fields["at"] = .integer(anchor.at.microseconds)
    case .ended(let at): (phase, place) = ("ended", at)
    }
    fields["phase"] = .string(phase)
    fields["mediaTime"] = .integer(place.microseconds)
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

/// A value that is not there most of the time: it lies apart, so that its absence costs a word.
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

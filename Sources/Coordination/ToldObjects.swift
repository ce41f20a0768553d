import GroupSessions
import Playback
import UserNotifications
import Vocabulary

/// Where objects are: a session has its parts, a group what apps keep in it.
enum Bucket: Hashable, Sendable {
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

/// Who subscribed to which objects, and what subscribers were last told of them.
struct ToldObjects: Sendable {
  private var buckets: [Bucket: SortedMap<ServerObject, ToldObject>] = [:]

  /// A change that an object's subscribers have to be told.
  struct Change {
    let object: ServerObject
    let version: Int64
    /// What differs from what they were last told; `nil` if that is not known.
    let delta: StateDelta?
    let subscribers: [UserID]
  }

  /// Whether there are no subscribers.
  var isEmpty: Bool { buckets.isEmpty }

  /// Whether anybody subscribed to an object in a bucket.
  func hasSubscribers(_ bucket: Bucket) -> Bool { !isEmpty && buckets[bucket] != nil }

  func subscribers(of object: ServerObject) -> Set<UserID> { self[object]?.subscribers ?? [] }

  /// What each subscriber in a bucket follows.
  func subscribers(in bucket: Bucket) -> SortedMap<UserID, [ServerObject]> {
    var all: SortedMap<UserID, [ServerObject]> = [:]
    for (object, told) in buckets[bucket] ?? [:] {
      for user in told.subscribers { all[user] = (all[user] ?? []) + [object] }
    }
    return all
  }

  /// What the subscribers of an object were last told; `nil` if there are none.
  func state(of object: ServerObject) -> ObjectState? { self[object]?.state }

  /// Subscribes a person to an object.
  ///
  /// - Parameters:
  ///   - user: the person.
  ///   - object: the object.
  ///   - state: the object as it is, for the first subscriber.
  mutating func subscribe(_ user: UserID, to object: ServerObject, from state: ObjectState) {
    change(object) { told in
      told = told ?? ToldObject(state: state)
      told?.subscribers.insert(user)
    }
  }

  mutating func unsubscribe(_ user: UserID, from object: ServerObject) {
    change(object) { told in
      told?.subscribers.remove(user)
      if told?.subscribers.isEmpty == true { told = nil }
    }
  }

  /// Notes a bucket's objects as they are, and returns what their subscribers have to be told.
  ///
  /// - Parameters:
  ///   - bucket: where the objects are.
  ///   - isRetold: whether to tell all of them without the difference, because the server restarted
  ///     and does not know what it told last.
  ///   - current: an object as it is; `nil` if it is over.
  mutating func takeChanges(
    in bucket: Bucket, isRetold: Bool, _ current: (ServerObject) -> ObjectState?
  ) -> [Change] {
    (buckets[bucket] ?? [:]).compactMap { object, old in
      guard let state = current(object) else { return nil }
      let delta = old.state.delta(to: state)
      guard delta != nil || isRetold else { return nil }
      change(object) { $0?.state = state }
      return Change(
        object: object, version: state.version, delta: isRetold ? nil : delta,
        subscribers: old.subscribers.sorted())
    }
  }

  /// Forgets a bucket that is over.
  mutating func forget(_ bucket: Bucket) { buckets[bucket] = nil }

  private subscript(object: ServerObject) -> ToldObject? { buckets[object.bucket]?[object] }

  private mutating func change(_ object: ServerObject, _ body: (inout ToldObject?) -> Void) {
    body(&buckets[object.bucket, default: [:]][object])
    if buckets[object.bucket]?.isEmpty == true { buckets[object.bucket] = nil }
  }
}

/// The subscribers of one object, and what they were last told.
private struct ToldObject: Sendable {
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

// MARK: Notifications

extension ServerObject {
  /// The silent notification of a change, or of the end of the object, its session or its group.
  ///
  /// A difference that is too large is left out, and the subscriber fetches the object.
  ///
  /// - Parameters:
  ///   - kind: what happened.
  ///   - delta: what differs from what subscribers were last told, if that is known.
  ///   - version: the number of the event; `nil` for a session's end.
  ///   - group: the object's group.
  ///   - now: the time of the notification.
  ///   - settings: the bound of payloads, and the app's identifier.
  func notification(
    of kind: ObjectChange.Kind, _ delta: StateDelta? = nil, version: Int64?, in group: GroupID,
    at now: Instant, _ settings: NotificationSettings
  ) -> RemoteNotification {
    let collapseID = kind == .bucketDeleted ? bucketCollapseID : collapseID
    let payload = change(kind, group: group, modified: now, appID: settings.appID).payload(at: now)
    var full = payload
    delta?.write(to: &full)
    let isTooLarge = full.jsonByteCount > settings.policy.payloadBytes
    return RemoteNotification(
      id: name(of: collapseID, version, at: now), date: now, payload: isTooLarge ? payload : full,
      collapseID: collapseID)
  }

  /// A notification's identifier.
  ///
  /// Sessions are never reused, but another group may go by the same name later and count its events
  /// anew, so the time tells its notifications apart.
  private func name(of collapseID: String, _ version: Int64?, at now: Instant) -> NotificationID {
    let text = version.map { "\(collapseID)-\($0)" } ?? collapseID
    return switch self {
    case .part: NotificationID(text)
    case .own: NotificationID("\(text)-\(now.microseconds)")
    }
  }

  /// What its changes collapse by; apps' own names may be too long for it.
  private var collapseID: String {
    switch self {
    case .part(let part, let session): "c-\(part.rawValue)-\(session)"
    case .own(let id, let group): "c-\("\(group)\u{0}\(id)".shortHash)"
    }
  }

  /// What the end of its session or group collapses by.
  private var bucketCollapseID: String {
    switch bucket {
    case .session(let id): "c-\(id.text)"
    case .group(let id): "c-\(id.text.shortHash)"
    }
  }
}

import GroupSessions
import UserNotifications
import Vocabulary
import Wire

// What people subscribe to who need not take part: a group's topics, and objects, of whose changes
// they get silent notifications.

extension Groups {
  /// The group of an object; `nil` if the object is over, or was never there.
  private func group(of object: ServerObject) -> GroupID? {
    switch object {
    case .part(_, let session): sessions[session]?.session?.group
    case .own(let id, let group): groups[group]?.group?.objects[id] == nil ? nil : group
    }
  }

  /// Whether a person may go on following a topic or an object: the person was not removed from its
  /// group for good, and the object is still there.
  func mayFollow(_ subscription: Subscription, _ user: UserID) -> Bool {
    switch subscription {
    case .topic(let topic):
      guard case .group(let group)? = TopicOwner(topic) else { return true }
      return !isRemoved(user, from: group)
    case .object(let object):
      guard let group = group(of: object) else { return false }
      return !isRemoved(user, from: group)
    }
  }

  /// Whether a person was removed from a group for good.
  func isRemoved(_ user: UserID, from group: GroupID) -> Bool {
    groups[group]?.group?.entry?.removed.contains(user) == true
  }

  /// An object as it is; `nil` if it is over, or was never there.
  func state(of object: ServerObject) -> ObjectState? {
    switch object {
    case .part(let part, let session):
      sessions[session]?.session.map {
        ObjectState(version: Int64($0.seq), fields: part.fields(of: $0))
      }
    case .own(let id, let group):
      groups[group]?.group?.objects[id].map {
        ObjectState(version: Int64($0.version), fields: $0.fields)
      }
    }
  }

  /// Checks that a member subscribes to an object that is there, and that there is room.
  func checkSubscription(to object: ServerObject, _ seat: Seat) throws(ProtocolError) {
    guard let group = group(of: object), seat.group == group else { throw unknown(object) }
    let subscribers = self[told: object.bucket].value?[object]?.subscribers ?? []
    let limit = notifications.policy.objectSubscribers
    guard subscribers.count < limit || subscribers.contains(seat.user) else {
      throw ProtocolError(.tooManySubscriptions, limit: limit, reason: "subscribers")
    }
  }

  /// Subscribes a person to a topic or an object.
  mutating func follow(_ subscription: Subscription, by user: UserID) {
    guard mayFollow(subscription, user) else {
      // The object ended, or the person was removed, before the subscription was stored.
      return turn.say(.people(.subscriptionsOver([subscription], of: user)))
    }
    switch subscription {
    case .topic(let topic): reach.set(user, of: topic, true)
    case .object(let object):
      let known = self[told: object.bucket].value?[object]?.state
      guard let state = known ?? state(of: object) else { return }
      change(object) { told in
        told = told ?? ToldObject(state: state)
        told?.subscribers.insert(user)
      }
    }
  }

  /// Unsubscribes a person from a topic or an object.
  mutating func forget(_ subscription: Subscription, by user: UserID) {
    switch subscription {
    case .topic(let topic): reach.set(user, of: topic, false)
    case .object(let object):
      change(object) { told in
        told?.subscribers.remove(user)
        if told?.subscribers.isEmpty == true { told = nil }
      }
    }
  }

  /// Notifies the subscribers of the objects that changed.
  ///
  /// - Parameter isRetold: whether to notify without a change and without the difference, because
  ///   the server restarted and does not know what it told last.
  mutating func tellChanges(in bucket: Bucket, isRetold: Bool = false) {
    guard let told = self[told: bucket].value, !isOver(bucket) else { return }
    for (object, old) in told.objects {
      guard let state = state(of: object), let group = group(of: object) else { continue }
      let delta = old.state.delta(to: state)
      guard delta != nil || isRetold else { continue }
      change(object) { $0?.state = state }
      let notification = change(of: object, in: group, isRetold ? nil : delta, state.version)
      for user in old.subscribers.sorted() {
        turn.say(.people(.post(notification, to: user, isOptional: true)))
      }
    }
  }

  /// The notification of a change; a difference that is too large is left out, and the subscriber
  /// fetches the object.
  private func change(
    of object: ServerObject, in group: GroupID, _ delta: StateDelta?, _ version: Int64
  ) -> RemoteNotification {
    let change = object.change(
      .objectUpdated, group: group, modified: turn.now, appID: notifications.appID)
    let payload = change.payload(at: turn.now)
    var full = payload
    delta?.write(to: &full)
    let isTooLarge = full.jsonByteCount > notifications.policy.payloadBytes
    return RemoteNotification(
      id: name(of: object.collapseID, in: object.bucket, version), date: turn.now,
      payload: isTooLarge ? payload : full, collapseID: object.collapseID)
  }

  /// Notifies the subscribers that a session or a group is over, and ends their subscriptions.
  mutating func tellEnd(of bucket: Bucket, in group: GroupID) {
    for (user, objects) in self[told: bucket].value?.subscribers ?? [:] {
      guard let object = objects.first else { continue }
      tell(.bucketDeleted, of: object, in: group, "c-\(bucket.text)", to: user)
      end(objects.map { .object($0) }, of: user)
    }
  }

  /// Notifies the subscribers that an object was removed, and ends their subscriptions.
  mutating func tellRemoval(of id: ObjectID, from group: GroupID) {
    let object = ServerObject.own(id, of: group)
    for user in self[told: .group(group)].value?[object]?.subscribers.sorted() ?? [] {
      tell(.objectDeleted, of: object, in: group, object.collapseID, to: user)
      end([.object(object)], of: user)
    }
  }

  /// Ends subscriptions at once, whenever the person's tray can store that.
  private mutating func end(_ subscriptions: [Subscription], of user: UserID) {
    guard !subscriptions.isEmpty else { return }
    for subscription in subscriptions { forget(subscription, by: user) }
    turn.say(.people(.subscriptionsOver(subscriptions, of: user)))
  }

  private mutating func tell(
    _ kind: ObjectChange.Kind, of object: ServerObject, in group: GroupID, _ collapseID: String,
    to user: UserID
  ) {
    let change = object.change(kind, group: group, modified: turn.now, appID: notifications.appID)
    let notification = RemoteNotification(
      id: name(of: collapseID, in: object.bucket, nil), date: turn.now,
      payload: change.payload(at: turn.now), collapseID: collapseID)
    turn.say(.people(.post(notification, to: user)))
  }

  /// A notification's identifier.
  ///
  /// Sessions are never reused, but another group may go by the same name later and count its events
  /// anew, so the time tells its notifications apart.
  private func name(
    of collapseID: String, in bucket: Bucket, _ version: Int64?
  ) -> NotificationID {
    switch bucket {
    case .session: NotificationID(version.map { "\(collapseID)-\($0)" } ?? collapseID)
    case .group(let id):
      NotificationID(
        "\(collapseID)-\(version ?? Int64(groups[id]?.group?.seq ?? 0))-\(turn.now.microseconds)")
    }
  }

  /// Ends what a person who was removed for good follows in a group.
  mutating func endSubscriptions(of user: UserID, in group: Group) {
    let buckets = [Bucket.group(group.id)] + (group.session.map { [.session($0)] } ?? [])
    let objects = buckets.flatMap { self[told: $0].value?.subscribers[user] ?? [] }
    let topics = reach.topics(of: group.id, followedBy: user)
    end(
      objects.map { Subscription.object($0) } + topics.map { Subscription.topic($0) }, of: user)
  }

  /// Answers with an object's current state; reads only, and is not remembered.
  mutating func tellState(
    of object: ServerObject, to seat: Seat, _ done: Reply
  ) throws(ProtocolError) {
    // Members may read, and subscribers who were members when they subscribed.
    let told = self[told: object.bucket].value?[object]
    guard let group = group(of: object),
      seat.group == group || told?.subscribers.contains(seat.user) == true,
      let state = told?.state ?? state(of: object)
    else { throw unknown(object) }
    let bytes = PayloadValue.dictionary(state.fields).jsonByteCount
    try take(Cost.answering(bytes), from: seat)
    turn.send(
      .objectState(done.id, object, version: state.version, state.fields), to: seat.device)
  }

  /// How many people follow an object that a group keeps.
  func followerCount(of id: ObjectID, in group: GroupID) -> Int {
    self[told: .group(group)].value?[.own(id, of: group)]?.subscribers.count ?? 0
  }
}

// MARK: Buckets

extension Groups {
  private subscript(told bucket: Bucket) -> Rare<ToldObjects> {
    get {
      switch bucket {
      case .session(let id): sessions[id]?.told ?? .absent
      case .group(let id): groups[id]?.told ?? .absent
      }
    }
    set {
      switch bucket {
      case .session(let id): sessions[id]?.told = newValue
      case .group(let id): groups[id]?.told = newValue
      }
    }
  }

  private mutating func change(_ object: ServerObject, _ body: (inout ToldObject?) -> Void) {
    var told = self[told: object.bucket].value ?? ToldObjects()
    body(&told[object])
    self[told: object.bucket] = told.isEmpty ? .absent : .present(told)
  }

  private func isOver(_ bucket: Bucket) -> Bool {
    switch bucket {
    case .session(let id):
      if case .ended? = sessions[id]?.session?.state { true } else { false }
    case .group(let id): groups[id]?.group?.isClosed == true
    }
  }

  private func unknown(_ object: ServerObject) -> ProtocolError {
    switch object {
    case .part(_, let session): unknownSession(session)
    case .own: ProtocolError(.unknownObject)
    }
  }
}

extension Bucket {
  fileprivate var text: String {
    switch self {
    case .session(let id): id.text
    case .group(let id): id.text.shortHash
    }
  }
}

extension ServerObject {
  /// What its changes collapse by; apps' own names may be too long for it.
  fileprivate var collapseID: String {
    switch self {
    case .part(let part, let session): "c-\(part.rawValue)-\(session)"
    case .own(let id, let group): "c-\("\(group)\u{0}\(id)".shortHash)"
    }
  }
}

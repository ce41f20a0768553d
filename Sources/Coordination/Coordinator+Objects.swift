import GroupSessions
import UserNotifications
import Vocabulary
import Wire

// What people hear of a session without taking part: a silent notification for each change of the
// part that they follow.

extension Coordinator {
  /// From here on a person hears of a part's changes.
  mutating func follow(_ object: SessionObject, by user: UserID) {
    guard let session = sessions[object.session]?.session else { return }
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
      for user in old.subscribers.sorted() where hasRoom(user) { post(notification, to: user) }
    }
  }

  /// A difference that is too large is left out: whoever hears of the change fetches the object.
  private func change(
    of object: SessionObject, in group: GroupID, _ delta: StateDelta?, _ version: Int64
  ) -> RemoteNotification {
    let change = object.change(
      .objectUpdated, group: group, modified: now, appID: notifications.appID)
    let payload = change.payload(at: now)
    var full = payload
    delta?.write(to: &full)
    let isTooLarge = full.jsonByteCount > notifications.policy.payloadBytes
    let place = "c-\(object.part.rawValue)-\(object.session)"
    return RemoteNotification(
      id: NotificationID("\(place)-\(version)"), date: now, payload: isTooLarge ? payload : full,
      collapseID: place)
  }

  /// A session is over: those who follow it hear so, and follow it no more.
  mutating func tellEnd(of id: SessionID, in group: GroupID) {
    guard let told = sessions[id]?.told.value else { return }
    let change = SessionObject(.state, of: id).change(
      .bucketDeleted, group: group, modified: now, appID: notifications.appID)
    let notification = RemoteNotification(
      id: NotificationID("c-\(id)"), date: now, payload: change.payload(at: now),
      collapseID: "c-\(id)")
    for user in told.subscribers {
      post(notification, to: user)
      perform(.sessionOver(id), on: user)
    }
  }

  /// Tells a part of a session as it is; changes nothing, and is not remembered.
  mutating func tellState(
    of object: SessionObject, to device: Device, _ done: Reply
  ) throws(ProtocolError) {
    guard let session = sessions[object.session]?.session, mayRead(session, object, device) else {
      throw unknownSession(object.session)
    }
    let told = sessions[object.session]?.told.value?[object.part]
    let version = told?.version ?? Int64(session.seq)
    let fields = told?.fields ?? object.part.fields(of: session)
    send(.objectState(done.id, object, version: version, fields), to: device.id)
  }

  /// Members may, and whoever subscribed when they were one.
  private func mayRead(_ session: GroupSession, _ object: SessionObject, _ device: Device) -> Bool {
    let subscriptions = trays[device.identity.user]?.tray.subscriptions
    return device.group == session.group || subscriptions?.contains(.object(object)) == true
  }
}

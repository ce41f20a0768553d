package import UserNotifications
import Vocabulary
import Wire

/// The server's objects that the app follows, each kept up to date by deltas.
struct FollowedObjects: Equatable, Sendable {
  private struct Followed: Equatable, Sendable {
    var mirror = StateMirror()
    var isFetching = false
    /// Fetches since the object was last up to date.
    var fetches = 0
  }

  /// The limit of consecutive fetches, for a server whose answers are older than its changes.
  private static let mostFetches = 3

  private var objects: [ServerObject: Followed] = [:]

  /// The mirror of an object; `nil` if it is not followed.
  subscript(object: ServerObject) -> StateMirror? { objects[object]?.mirror }

  /// The objects that are not up to date.
  var outdated: [ServerObject] { objects.compactMap { $1.mirror.needsFetch ? $0 : nil } }

  /// The objects that are over because of a message.
  func ended(by message: ReceivedMessage) -> [ServerObject] {
    objects.keys.filter { message.ends($0) }
  }

  /// Starts to follow an object, unless it is followed.
  mutating func begin(_ object: ServerObject) { objects[object] = objects[object] ?? Followed() }

  /// Stops following an object; returns whether it was followed.
  mutating func end(_ object: ServerObject) -> Bool { objects.removeValue(forKey: object) != nil }

  /// Discards what is known of the objects, because the server does not know this device.
  mutating func beginAnew() { objects = objects.mapValues { _ in Followed() } }

  /// Applies a change, or notes one that was too large for its notification, which is `nil`.
  ///
  /// - Returns: what came of it; `nil` if the object is not followed.
  mutating func apply(_ delta: StateDelta?, to object: ServerObject) -> StateMirror.Effect? {
    objects[object]?.fetches = 0
    guard let delta else { return objects[object].map { _ in .gap } }
    return objects[object]?.mirror.apply(delta)
  }

  /// Begins to fetch an object; returns `false` if it is being fetched, or was too often.
  mutating func beginFetch(of object: ServerObject) -> Bool {
    guard let followed = objects[object], !followed.isFetching,
      followed.fetches < Self.mostFetches
    else { return false }
    objects[object]?.isFetching = true
    objects[object]?.fetches += 1
    return true
  }

  /// Notes that a fetch is over; returns whether the object is still followed.
  mutating func endFetch(of object: ServerObject) -> Bool {
    objects[object]?.isFetching = false
    return objects[object] != nil
  }

  /// Takes an object's fetched state; returns whether its version is another than before.
  mutating func take(
    _ fields: [String: PayloadValue], version: Int64, of object: ServerObject
  ) -> Bool {
    let before = self[object]?.version
    objects[object]?.mirror.replace(with: fields, version: version)
    if self[object]?.needsFetch == false { objects[object]?.fetches = 0 }
    return self[object]?.version != before
  }
}

// The client applies the changes that silent notifications carry, and fetches what it missed.

extension Client {
  /// The mirror of a followed object; `nil` if the object is not followed.
  package func object(_ object: ServerObject) -> StateMirror? { notifying.objects[object] }

  /// Starts to follow an object: fetches it, then applies changes.
  mutating func follow(_ object: ServerObject) {
    notifying.objects.begin(object)
    fetch(object)
  }

  /// Stops following an object because the app unsubscribed or the object is over.
  mutating func endSubscription(_ subscription: Subscription) {
    notifying.wishes.unsubscribe(subscription)
    guard case .object(let object) = subscription, notifying.objects.end(object) else { return }
    publish(.object(object, nil))
  }

  /// Applies the change to an object that a silent notification carries.
  mutating func followChange(in payload: NotificationPayload) {
    let message = ReceivedMessage(payload)
    for object in notifying.objects.ended(by: message) { endSubscription(.object(object)) }
    guard let object = message.serverObject else { return }
    switch notifying.objects.apply(StateDelta(payload), to: object) {
    case .applied: publish(.object(object, self.object(object)))
    case .gap: fetch(object)
    case .alreadyKnown, nil: break
    }
  }

  /// Fetches the objects that are not up to date.
  mutating func fetchOutdated() {
    for object in notifying.objects.outdated { fetch(object) }
  }

  private mutating func fetch(_ object: ServerObject) {
    guard !pending.isFullForOwn, notifying.objects.beginFetch(of: object) else { return }
    askOwn(.notifications(.objectState(object)), .object(object))
  }

  /// Handles the outcome of fetching an object.
  mutating func settle(_ object: ServerObject, _ outcome: Outcome) {
    guard notifying.objects.endFetch(of: object) else { return }
    switch outcome {
    case .object(let version, let fields):
      let isNews = notifying.objects.take(fields, version: version, of: object)
      if isNews { publish(.object(object, self.object(object))) }
      if self.object(object)?.needsFetch == true { fetch(object) }
    case .failed(.refused(let error)):
      if [.unknownSession, .sessionEnded, .unknownObject].contains(error.code) {
        endSubscription(.object(object))
      }
    case .answered, .reported, .explained, .listed, .failed: break
    }
  }
}

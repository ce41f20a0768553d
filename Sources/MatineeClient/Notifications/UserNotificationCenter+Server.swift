import Participation
public import UserNotifications
public import Vocabulary
import Wire

// What an app asks of the server about its person's notifications.
extension UserNotificationCenter {
  /// Has the person's notifications come to this device, over its connection, and while there is none
  /// to its push service.
  ///
  /// Whatever becomes of connections and of the server, it stands until ``unregister()``, another
  /// registration, or another person at this device. Until the first one nothing comes.
  ///
  /// - Parameters:
  ///   - mode: by which calls; it decides which handlers are called, see ``RegistrationMode``.
  ///   - isDevelopment: whether the app is one that its developers try out.
  ///   - endpoint: where this device is reached without a connection; `nil` if nowhere.
  /// - Throws: ``GroupWatchError/Code/notificationsUnavailable`` where the server has none;
  ///   ``GroupWatchError/Code/invalidEndpoint`` where it does not ask such a push service.
  public func register(
    _ mode: RegistrationMode = .center, isDevelopment: Bool = false, endpoint: PushEndpoint? = nil
  ) async throws(GroupWatchError) {
    try await ask(.register(mode: mode, isDevelopment: isDevelopment, endpoint))
  }

  /// Has nothing more come to this device.
  public func unregister() async throws(GroupWatchError) { try await ask(.unregister) }

  /// All that stands for the person on this device, the oldest first: also what was put away here,
  /// such as an invitation that was only dismissed.
  public func list() async throws(GroupWatchError) -> [UserNotification] {
    guard case .listed(let list) = try await ask(.list) else { return [] }
    return await shown(list)
  }

  /// Takes notifications away from all of the person's devices.
  public func removeEverywhere(_ ids: [NotificationID]) async throws(GroupWatchError) {
    try await ask(.remove(ids))
  }

  /// Has the server forget everything about the person's notifications: where they go, what the
  /// person subscribed to, what stands.
  public func wipe() async throws(GroupWatchError) { try await ask(.wipe) }

  // MARK: Topics

  /// Has what anybody says to a topic come to the person's devices: `group/…`, `user/…` of their own,
  /// or `app/…`.
  public func subscribe(to topic: TopicID) async throws(GroupWatchError) {
    try await ask(.subscribe(.topic(topic)))
  }

  /// Has what is said to a topic come no more.
  public func unsubscribe(from topic: TopicID) async throws(GroupWatchError) {
    try await ask(.unsubscribe(.topic(topic)))
  }

  /// Says something to all who subscribed to a topic; the person's own devices hear it, too.
  ///
  /// - Parameters:
  ///   - topic: of the group the device is in, or of its person.
  ///   - alert: what is shown; `nil` is for the apps alone.
  ///   - data: fields of the app's own, one level deep.
  ///   - options: which fields the message has, and over which ways it goes.
  /// - Throws: ``GroupWatchError/Code/payloadTooLarge``, ``GroupWatchError/Code/invalidTopic``,
  ///   ``GroupWatchError/Code/notYourTopic``.
  public func publish(
    to topic: TopicID, _ alert: NotificationPayload.Alert?, data: [String: PayloadValue] = [:],
    options: PushOptions = PushOptions()
  ) async throws(GroupWatchError) {
    try await ask(
      .publish(TopicPublication(to: topic, alert: alert, data: data, options: options)))
  }

  // MARK: Objects

  /// Follows a part of a session: it is fetched, and then kept up by silent notifications, which the
  /// device has to be registered for.
  ///
  /// - Returns: what is known of it; `nil` until it was fetched. The sequence ends with the session,
  ///   and with ``unfollow(_:)``.
  public func follow(
    _ object: SessionObject
  ) async throws(GroupWatchError) -> Observed<StateMirror?> {
    let observed = desk.object(object)
    do throws(GroupWatchError) {
      try await ask(.subscribe(.object(object)))
    } catch {
      if observed.current == nil { desk.take(nil, of: object) }
      throw error
    }
    return observed
  }

  /// Follows a part of a session no more.
  public func unfollow(_ object: SessionObject) async throws(GroupWatchError) {
    try await ask(.unsubscribe(.object(object)))
  }
}

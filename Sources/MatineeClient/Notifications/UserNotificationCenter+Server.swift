import Participation
public import UserNotifications
public import Vocabulary
import Wire

// Requests to the server about the person's notifications.
extension UserNotificationCenter {
  /// Registers this device for the person's notifications.
  ///
  /// They arrive over the client's connection, and over the push service while there is no
  /// connection.
  ///
  /// The registration survives lost connections and server restarts. It ends with ``unregister()``,
  /// with another registration, or when another person uses this device. Nothing is delivered
  /// before the first registration.
  ///
  /// - Parameters:
  ///   - mode: the registration style; it decides which handlers are called, see
  ///     ``RegistrationMode``.
  ///   - isDevelopment: whether this is a development build of the app.
  ///   - endpoint: the device's push endpoint, for when it has no connection; `nil` for none.
  /// - Throws: ``GroupWatchError/Code/notificationsUnavailable`` if the server has no
  ///   notifications; ``GroupWatchError/Code/invalidEndpoint`` if the server does not use that push
  ///   service.
  public func register(
    _ mode: RegistrationMode = .center, isDevelopment: Bool = false, endpoint: PushEndpoint? = nil
  ) async throws(GroupWatchError) {
    try await ask(.register(mode: mode, isDevelopment: isDevelopment, endpoint))
  }

  /// Ends the registration: this device receives no more notifications.
  public func unregister() async throws(GroupWatchError) { try await ask(.unregister) }

  /// The person's outstanding notifications on this device, the oldest first.
  ///
  /// The list includes those that were put away here, such as an invitation that was only
  /// dismissed.
  public func list() async throws(GroupWatchError) -> [UserNotification] {
    guard case .listed(let list) = try await ask(.list) else { return [] }
    return await shown(list)
  }

  /// Removes notifications from all of the person's devices.
  public func removeEverywhere(_ ids: [NotificationID]) async throws(GroupWatchError) {
    try await ask(.remove(ids))
  }

  /// Deletes the server's notification data about the person.
  ///
  /// That is the person's registrations, subscriptions and outstanding notifications.
  public func wipe() async throws(GroupWatchError) { try await ask(.wipe) }

  // MARK: Topics

  /// Subscribes the person's devices to a topic: `group/…`, the person's own `user/…`, or `app/…`.
  public func subscribe(to topic: TopicID) async throws(GroupWatchError) {
    try await ask(.subscribe(.topic(topic)))
  }

  /// Ends the subscription to a topic.
  public func unsubscribe(from topic: TopicID) async throws(GroupWatchError) {
    try await ask(.unsubscribe(.topic(topic)))
  }

  /// Publishes a message to a topic's subscribers, which may include the person's own devices.
  ///
  /// - Parameters:
  ///   - topic: a topic of the device's group or of the person; or, for an administrator, one of the
  ///     app, `app/…`.
  ///   - alert: the alert to show; `nil` for a message to the apps only.
  ///   - category: the category whose actions it offers, where the receiving app has it; not that of
  ///     invitations.
  ///   - data: the app's own fields, without nesting; the names `aps`, `a`, `s`, `w`, `o`, `to`, `t`, `bi`,
  ///     `bt`, `oi`, `om`, `st`, `sa`, `su`, `sg`, `sth`, `revoke` and `delta` are refused.
  ///   - options: the message's push fields and the channels it uses.
  ///   - key: the administrator's key, for a topic of the app, only over an encrypted connection or on
  ///     the server's own machine; an administrator's client needs none, see ``ServerAdministration``.
  /// - Throws: ``GroupWatchError/Code/payloadTooLarge``, ``GroupWatchError/Code/invalidTopic``,
  ///   ``GroupWatchError/Code/notYourTopic``, ``GroupWatchError/Code/wrongKey``,
  ///   ``GroupWatchError/Code/tooManyGuesses``, ``GroupWatchError/Code/tlsRequired``;
  ///   ``GroupWatchError/Code/noAdministrator`` if the server was started without a key;
  ///   ``GroupWatchError/Code/forbidden`` for a topic of the app without a key.
  public func publish(
    to topic: TopicID, _ alert: NotificationPayload.Alert?, category: String? = nil,
    data: [String: PayloadValue] = [:], options: PushOptions = PushOptions(), key: String? = nil
  ) async throws(GroupWatchError) {
    try check(key)
    try await ask(
      .publish(
        TopicPublication(
          to: topic, alert: alert, category: category, data: data, options: options, key: key)))
  }

  /// Sends a notification to one person's devices, for an administrator.
  ///
  /// - Parameters:
  ///   - user: the person.
  ///   - payload: the whole payload: `aps`, and fields of the program's own.
  ///   - key: the key that the server was started with, which must not be part of an app, only over an
  ///     encrypted connection or on the server's own machine; an administrator's client needs none, see
  ///     ``ServerAdministration``.
  /// - Throws: ``GroupWatchError/Code/wrongKey``, ``GroupWatchError/Code/tooManyGuesses``,
  ///   ``GroupWatchError/Code/tlsRequired``; ``GroupWatchError/Code/noAdministrator`` if the server was
  ///   started without a key; ``GroupWatchError/Code/forbidden`` without a key.
  public func push(
    to user: UserID, _ payload: NotificationPayload, key: String? = nil
  ) async throws(GroupWatchError) {
    try check(key)
    try await ask(.push(DirectPush(to: user, payload, key: key)))
  }

  // MARK: Objects

  /// Follows a part of a session, or an object that an app keeps in a group, without taking part.
  ///
  /// The device's group must be the object's; who leaves follows on. The client fetches the object
  /// once. Silent notifications then keep it up to date; the device must be registered for them.
  /// Members have all objects of their group without that: ``GroupStateObserver/objects``.
  ///
  /// - Returns: the object's state; `nil` until it is fetched. The sequence ends when the object is
  ///   removed, with its session or group, and with ``unfollow(_:)``.
  /// - Throws: ``GroupWatchError/Code/unknownObject``; ``GroupWatchError/Code/unknownSession``.
  public func follow(
    _ object: ServerObject
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

  /// Stops following an object.
  public func unfollow(_ object: ServerObject) async throws(GroupWatchError) {
    try await ask(.unsubscribe(.object(object)))
  }
}

import InAppMessaging
import Participation
public import Vocabulary

extension GroupWatchClient {
  /// How long the previous person's data is still sent when the server is slow or away.
  ///
  /// Five seconds is about as long as somebody waits after a login.
  static let farewell = Duration.seconds(5)

  /// Hands this device over to another person: this client ends, and a new one is returned.
  ///
  /// The previous person's messages are removed from the screen, as `userChanged`, and from the
  /// stack. The device leaves the session, which continues for the others, and the group. What the
  /// app logged is still sent in the previous person's name, for at most five seconds; the rest is
  /// reported as ``MessageEvent/unsent(_:)`` and discarded. What is logged on this client
  /// afterwards is ignored.
  ///
  /// The next client takes over the delegates, the display, the views, the handlers, the platform's
  /// state, the suppression, the categories and the phase, but no personal data. Sequences and
  /// sessions of this client finish. The app observes those of the next client, joins a group
  /// again, and registers for the next person's notifications; the previous person's no longer come
  /// here.
  ///
  /// - Parameters:
  ///   - user: the next person; if it is the current person, nothing happens.
  ///   - name: the name that others see.
  ///   - options: the next client's options, with a player of its own and the next person's
  ///     decisions about sharing.
  /// - Returns: the next client, online.
  /// - Throws: as ``connect(to:as:options:)``; this client has ended in that case, too.
  public func changeUser(
    to user: UserID, name: String, options: ClientOptions = ClientOptions()
  ) async throws(GroupWatchError) -> GroupWatchClient {
    try await changeUser(to: user, name: name, options: options, within: Self.farewell)
  }

  /// Hands this device over, and sends the previous person's data for at most `farewell`.
  package func changeUser(
    to user: UserID, name: String, options: ClientOptions, within farewell: Duration
  ) async throws(GroupWatchError) -> GroupWatchClient {
    guard user != identity.user else { return self }
    let suppression = await look { participant, _ in participant.presenter.suppression }
    await retire(within: farewell)
    close()
    let next = Identity(user: user, device: identity.device, name: name)
    return try await Self.connect(to: endpoint, as: next, options: options) { client in
      client.inAppMessages.desk.takeOver(from: inAppMessages.desk)
      client.notifications.desk.takeOver(from: notifications.desk)
      if let suppression { client.inAppMessages.take(.presenter(.suppress(suppression))) }
    }
  }
}

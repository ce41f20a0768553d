import InAppMessaging
import Participation
public import Vocabulary

extension GroupWatchClient {
  /// How long what the old person did is still said to a server that is slow or away: about as long
  /// as somebody waits who has just logged in.
  static let farewell = Duration.seconds(5)

  /// Hands this device over to another person: this client ends, and another one begins.
  ///
  /// The old person's messages go from the screen, as `userChanged`, and from the stack; the session
  /// is left, for the others it goes on, and so is the group. What the app logged for the old person
  /// is still said in their name, for five seconds at most; what is left then is told as
  /// ``MessageEvent/unsent(_:)`` and is nobody else's. Nothing that is logged here afterwards counts
  /// for anybody.
  ///
  /// The next client has the delegates, the display, the views, the handlers, the platform's state,
  /// the suppression, the categories and the phase of this one, and nothing of its person. Sequences
  /// and sessions of this client finish; the app observes those of the next, joins a group again, and
  /// registers for the next person's notifications: those of the old one do not come here any more.
  ///
  /// - Parameters:
  ///   - user: the next person; with the one who is here already nothing happens.
  ///   - name: what others see.
  ///   - options: how the next client behaves, with a player of its own and with the next person's
  ///     decisions about sharing.
  /// - Returns: the next client, online.
  /// - Throws: as ``connect(to:as:options:)``; this client has ended then all the same.
  public func changeUser(
    to user: UserID, name: String, options: ClientOptions = ClientOptions()
  ) async throws(GroupWatchError) -> GroupWatchClient {
    guard user != identity.user else { return self }
    let suppression = await look { participant, _ in participant.presenter.suppression }
    await retire(within: Self.farewell)
    close()
    let next = Identity(user: user, device: identity.device, name: name)
    return try await Self.connect(to: endpoint, as: next, options: options) { client in
      client.inAppMessages.desk.takeOver(from: inAppMessages.desk)
      client.notifications.desk.takeOver(from: notifications.desk)
      if let suppression { client.inAppMessages.take(.presenter(.suppress(suppression))) }
    }
  }
}

public import Vocabulary

/// The fields of an invitation's notification, for apps and pages: `inv`, `session`, `group`,
/// `item`, `from`, `exp`, `token` and `fallbackURL`.
public struct InvitationDetails: Hashable, Sendable {
  /// The invitation's id, which is also its notification's id: `inv`.
  public var id: NotificationID
  /// Where to.
  public var session: SessionID
  /// The session's group: `group`; `nil` in invitations of older servers.
  public var group: GroupID?
  /// The title of the item: `item.title`.
  public var title: String?
  /// The item's URL for players: `item.url`.
  public var url: String?
  /// The person who invites, or who began the session if the session invites on its own: `from`.
  public var from: UserID?
  /// When the invitation expires, by the server's clock: `exp`, in milliseconds.
  public var expires: Instant?
  /// The token that answers in the person's name without a client; it is never shown.
  public var token: String?
  /// Where people without a client go instead.
  public var fallbackURL: String?

  /// Details.
  public init(
    id: NotificationID, session: SessionID, group: GroupID? = nil, title: String? = nil,
    url: String? = nil, from: UserID? = nil, expires: Instant? = nil, token: String? = nil,
    fallbackURL: String? = nil
  ) {
    self.id = id
    self.session = session
    self.group = group
    self.title = title
    self.url = url
    self.from = from
    self.expires = expires
    self.token = token
    self.fallbackURL = fallbackURL
  }

  /// The details in a payload beside `aps`; `nil` if it names no invitation or no session.
  public init?(_ fields: [String: PayloadValue]) {
    guard let id = fields["inv"]?.string, let session = fields["session"]?.string else {
      return nil
    }
    let item = fields["item"]?.dictionary ?? [:]
    self.init(
      id: NotificationID(id), session: SessionID(session),
      group: fields["group"]?.string.map(GroupID.init), title: item["title"]?.string,
      url: item["url"]?.string, from: fields["from"]?.string.map(UserID.init),
      expires: fields["exp"]?.integer.map(Instant.init(milliseconds:)),
      token: fields["token"]?.string, fallbackURL: fields["fallbackURL"]?.string)
  }

  /// The details as fields beside `aps`.
  public var fields: [String: PayloadValue] {
    var item: [String: PayloadValue] = [:]
    item["title"] = title.map(PayloadValue.string)
    item["url"] = url.map(PayloadValue.string)
    var fields: [String: PayloadValue] = [
      "inv": .string(id.text), "session": .string(session.text),
    ]
    fields["group"] = group.map { .string($0.text) }
    if !item.isEmpty { fields["item"] = .dictionary(item) }
    fields["from"] = from.map { .string($0.text) }
    fields["exp"] = expires.map { .integer($0.milliseconds) }
    fields["token"] = token.map(PayloadValue.string)
    fields["fallbackURL"] = fallbackURL.map(PayloadValue.string)
    return fields
  }
}

import GroupSessions
import Vocabulary
import Wire

/// Finds out what the player opens: the server's own media have an address for each participant, which
/// the server tells; of all others the URL is known.
struct MediaSearch: Equatable, Sendable {
  enum End: Equatable {
    case found(MediaItem)
    /// The server does not say where players fetch the media of this item.
    case missing(ItemID)
  }

  /// The host at which the client reaches the server.
  private let host: String
  /// The media that the player was last ordered to open.
  private(set) var wanted: MediaItem?
  /// The media whose address was asked for.
  private var asked: MediaItem?
  /// The session for which a media was looked for last, and whether the server has it.
  private var session: SessionID?
  private var isServed = false

  init(on host: String) { self.host = host }

  /// Whether the player has to be told to open a session's media, or none.
  ///
  /// The same media is opened anew in another session if it is the server's, whose address is good
  /// for one session only, or if it failed, because it may be there by now. Media of two sizes are
  /// two files of the same name.
  func needsOpening(_ next: MediaItem?, in session: SessionID?, isLoaded: Bool) -> Bool {
    let isSized = next?.size != nil && wanted?.size != nil
    let isSame =
      next?.item == wanted?.item && next?.url == wanted?.url
      && !(isSized && next?.size != wanted?.size)
    let isOutdated = self.session != nil && self.session != session && (isServed || !isLoaded)
    return !isSame || isOutdated
  }

  /// Whether the media wanted is this item, or has its URL for an identifier.
  func wants(_ item: ItemID) -> Bool { wanted?.item == item || wanted?.url == item.text }

  /// What has to be done so that the player opens a media in a session.
  mutating func begin(_ media: MediaItem, in session: SessionID?) -> PlayerSide.Step {
    (wanted, self.session, isServed) = (media, session, media.url.hasPrefix(MediaDoor.root))
    guard isServed else {
      asked = nil
      return .order(.load(media))
    }
    asked = media
    return .ask(.openMedia(url: media.url), .media(media.url))
  }

  /// What has to be done because the media wanted cannot be played here.
  func fail(_ reason: String) -> [PlayerSide.Step] {
    wanted.map { [.tell(.unplayable($0, reason: reason))] } ?? []
  }

  /// Takes media as wanted on a device without a player, for which nothing has to be done.
  mutating func pretend(_ media: MediaItem?) { wanted = media }

  /// Wants nothing any more, and looks for nothing.
  mutating func forget() { (wanted, asked, session) = (nil, nil, nil) }

  /// Takes the answer for a URL.
  ///
  /// - Returns: `nil` if nobody waits for it any more.
  mutating func end(_ outcome: Client.Outcome, of url: String) -> End? {
    guard var media = asked, media.url == url else { return nil }
    asked = nil
    guard case .answered(.media(let address, let door?)) = outcome,
      let found = door.url(of: address, on: host)
    else { return .missing(media.item) }
    media.url = found
    return .found(media)
  }
}

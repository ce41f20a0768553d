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
  /// The media whose address was asked for.
  private var asked: MediaItem?
  /// The session for which a media was looked for last, and whether the server has it.
  private var session: SessionID?
  private var isServed = false

  init(on host: String) { self.host = host }

  /// Whether the same media has to be opened anew in another session: an address of the server's is good
  /// for one session only, and what failed may be there by now.
  func isOutdated(in session: SessionID?, isLoaded: Bool) -> Bool {
    self.session != nil && self.session != session && (isServed || !isLoaded)
  }

  /// What has to be done so that the player opens a media in a session.
  mutating func begin(_ media: MediaItem, in session: SessionID?) -> PlayerSide.Step {
    (self.session, isServed) = (session, media.url.hasPrefix(MediaDoor.root))
    guard isServed else {
      asked = nil
      return .order(.load(media))
    }
    asked = media
    return .ask(.openMedia(url: media.url), .media(media.url))
  }

  /// Looks for nothing any more.
  mutating func stop() { (asked, session) = (nil, nil) }

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

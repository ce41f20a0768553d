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

  init(on host: String) { self.host = host }

  /// What has to be done so that the player opens a media.
  mutating func begin(_ media: MediaItem) -> PlayerSide.Step {
    guard media.url.hasPrefix(MediaDoor.root) else {
      asked = nil
      return .order(.load(media))
    }
    asked = media
    return .ask(.openMedia(url: media.url), .media(media.url))
  }

  /// Waits for no answer any more.
  mutating func stop() { asked = nil }

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

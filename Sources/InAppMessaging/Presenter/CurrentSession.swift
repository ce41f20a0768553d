import Vocabulary

/// The session that this device takes part in, and those that it is no longer in.
struct CurrentSession: Equatable, Sendable {
  private var id: SessionID?
  private var media: SessionMedia?
  /// Sessions that are over for this device, in order.
  private var over: [SessionID] = []

  /// Whether the session is over for this device.
  func isOver(_ id: SessionID) -> Bool { over.contains(id) }

  /// What a player's session watches, if it is the current one and watches something.
  func media(of message: InAppMessage?) -> SessionMedia? {
    guard let message, message.isPlayer, message.session == id else { return nil }
    return media
  }

  mutating func join(_ id: SessionID, _ media: SessionMedia?) {
    over.removeAll { $0 == id }
    (self.id, self.media) = (id, media)
  }

  /// Takes what a session watches now; other sessions are ignored.
  ///
  /// - Returns: whether it is the current session.
  mutating func watch(_ media: SessionMedia, in id: SessionID) -> Bool {
    guard id == self.id else { return false }
    self.media = media
    return true
  }

  /// The session is over for this device.
  ///
  /// - Parameter memory: how many such sessions are remembered.
  mutating func end(_ id: SessionID, memory: Int) {
    over.append(id)
    if over.count > memory { over.removeFirst() }
    if self.id == id { (self.id, media) = (nil, nil) }
  }
}

/// What a session watches; it takes precedence over a message's own video.
package struct SessionMedia: Hashable, Sendable {
  package var url: String
  package var title: String?

  /// A video.
  package init(url: String, title: String? = nil) {
    self.url = url
    self.title = title
  }

  /// A message's own video; `nil` if it has none.
  init?(_ message: InAppMessage) {
    guard let video = VideoView(message) else { return nil }
    self.init(url: video.url, title: video.title)
  }
}

extension InAppMessage {
  /// Puts a session's video in the place of the message's own.
  mutating func show(_ media: SessionMedia) {
    let isOther = extras[VideoView.urlKey]?.string != media.url
    extras[VideoView.urlKey] = .string(media.url)
    // Without a title of its own the video gets none, because the message's title is another
    // video's.
    if media.title != nil || isOther {
      extras[VideoView.titleKey] = media.title.map { .string($0) }
    }
  }

  /// Takes what a newer delivery of the same campaign says, because it may name the video; images
  /// stay, because others are not loaded.
  mutating func takeWords(of newer: InAppMessage) {
    guard let campaign, campaign.id == newer.campaign?.id,
      case .text(var text) = body, case .text(let words) = newer.body
    else { return }
    (text.header, text.message) = (words.header, words.message)
    (body, language) = (.text(text), newer.language)
  }
}

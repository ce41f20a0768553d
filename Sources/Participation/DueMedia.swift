import GroupSessions
import InAppMessaging
import Vocabulary

/// The media that is due to be watched here, and who has logged it.
///
/// The client logs it once, also across reconnections, and the app may log the same by hand: that
/// counts once.
struct DueMedia: Equatable, Sendable {
  /// Why media is due.
  enum Occasion: Equatable, Sendable {
    case session(SessionID, ParticipantID, revision: Int)
    case alone
  }

  private struct Entry: Equatable, Sendable {
    let occasion: Occasion
    let media: SessionMedia
    var isLoggedByClient = false
    var isLoggedByApp = false

    var session: SessionID? {
      if case .session(let id, _, _) = occasion { id } else { nil }
    }

    /// The properties of the event that logs it, which triggers campaigns.
    var properties: [String: PropertyValue] {
      var properties: [String: PropertyValue] = ["url": .string(media.url)]
      properties["title"] = media.title.map { .string($0) }
      properties[AppEvent.sessionKey] = session.map { .string($0.text) }
      return properties
    }
  }

  /// The name of the event that logs it; `nil` logs none.
  let name: String?
  private var entry: Entry?

  init(loggedAs name: String?) { self.name = name }

  /// Takes media as due, unless it is so already on the same occasion; alone it is always new.
  mutating func enqueue(_ media: SessionMedia, _ occasion: Occasion) {
    guard occasion == .alone || occasion != entry?.occasion else { return }
    entry = Entry(occasion: occasion, media: media)
  }

  /// Forgets the media that is due without a session.
  mutating func forgetAlone() { if entry?.occasion == .alone { entry = nil } }

  /// Forgets the media of a session.
  mutating func forget(_ session: SessionID) { if entry?.session == session { entry = nil } }

  /// The event that logs the media, which counts as logged; `nil` if the client or the app has
  /// logged it.
  mutating func takeEvent() -> AppEvent? {
    guard let name, let entry, !entry.isLoggedByClient else { return nil }
    self.entry?.isLoggedByClient = true
    return entry.isLoggedByApp ? nil : .event(name: name, properties: entry.properties)
  }

  /// Takes an event that the app logs.
  ///
  /// - Returns: The event to log: with what the client knows of the media if the event is about it;
  ///   `nil` if the client has logged the same.
  mutating func take(_ event: AppEvent) -> AppEvent? {
    guard case .event(let name, let properties) = event, name == self.name,
      let entry, !entry.isLoggedByApp,
      properties["url"] == nil || properties["url"] == .string(entry.media.url)
    else { return event }
    self.entry?.isLoggedByApp = true
    if entry.isLoggedByClient { return nil }
    return .event(name: name, properties: entry.properties.merging(properties) { $1 })
  }
}

extension SessionMedia {
  /// The session's media; the activity's title replaces a missing title.
  init?(of session: GroupSession) {
    guard let media = session.activity.media else { return nil }
    self.init(url: media.url, title: media.title ?? session.activity.metadata.title)
  }
}

/// What a player's view takes from a message.
package struct VideoView: Equatable, Sendable {
  /// The extra with the video.
  package static let urlKey = "video_url"
  /// The extra with its title.
  package static let titleKey = "video_title"
  /// The title of a video without one.
  package static let defaultTitle = "Video Content"

  package var url: String
  package var title: String

  /// The video of a message; `nil` if it has none.
  package init?(_ message: InAppMessage) {
    guard let url = message.extras[Self.urlKey]?.string else { return nil }
    self.url = url
    title = message.extras[Self.titleKey]?.string ?? Self.defaultTitle
  }
}

/// The content of a player's view.
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

extension InAppMessage {
  /// Whether it shows what its session watches: with a video of its own, or as the app's own.
  ///
  /// Other messages of a session belong to it, and are shown beside its player like any other.
  var isPlayer: Bool { session != nil && (campaign == nil || VideoView(self) != nil) }
}

/// The distance of a message from its edge.
///
/// The view sets the base: the space of a notch, a keyboard or a toolbar, anew with each rotation.
/// The app sets the adjustment. They are separate, so that setting one again never adds up.
package struct EdgeOffset: Equatable, Sendable {
  /// The extra with an adjustment.
  package static let key = "edge_offset"
  /// The extra with the whole distance, which replaces base and adjustment; the constraint's older
  /// name.
  package static let absoluteKey = "slideConstraint"

  /// The space that the view keeps clear, in points.
  package var base = 0.0
  /// The distance that the app or the campaign adds.
  package var adjustment: Double
  /// The whole distance; `nil` is base and adjustment.
  package var absolute: Double?

  /// The offset that a message asks for; none unless it stands at an edge.
  package init(_ message: InAppMessage) {
    let extras = message.surface.isEdge ? message.extras : [:]
    let finite = { (key: String) in extras[key]?.number.flatMap { $0.isFinite ? $0 : nil } }
    adjustment = finite(Self.key) ?? 0
    absolute = finite(Self.absoluteKey)
  }

  /// The distance, in points.
  package var distance: Double { absolute ?? base + adjustment }
}

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

/// The question before the system's own question for notifications, which can be asked only once.
package struct PushPrimerView: Equatable, Sendable {
  package let title: String
  package let message: String

  /// The question that a message asks; `nil` if it says nothing.
  package init?(_ message: InAppMessage) {
    guard case .text(let text) = message.body else { return nil }
    title = text.header ?? ""
    self.message = text.message
  }

  /// What agreeing does; declining closes the message, and the system is not asked.
  package let agreement = InAppMessage.ClickAction.requestPushPermission
}

/// How far a message at an edge stands from it.
///
/// The base is the view's: what a notch, a keyboard or a toolbar takes, anew with each rotation.
/// The adjustment is the app's, on top of it. They are kept apart, so that setting one again never
/// adds up.
package struct EdgeOffset: Equatable, Sendable {
  /// The extra with an adjustment.
  package static let key = "edge_offset"
  /// The extra with the whole distance, whatever the base; the older name of the constraint.
  package static let absoluteKey = "slideConstraint"

  /// What the view keeps clear, in points.
  package var base = 0.0
  /// What the app, or the campaign, adds.
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

  /// The offset of a message that is about to be shown, as the app has it.
  package init(_ context: PresentationContext) {
    self.init(context.message)
    adjustment = context.edgeOffset
  }

  /// The distance, in points.
  package var distance: Double { absolute ?? base + adjustment }
}

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

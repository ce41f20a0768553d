/// Something that happened in an app, and that campaigns are triggered by.
package enum AppEvent: Equatable, Sendable {
  case launch
  case foreground
  /// The person begins to use the app, after it was away for longer.
  case sessionStart
  case event(name: String, properties: [String: PropertyValue])
  case purchase(product: String, properties: [String: PropertyValue])
  /// A push was opened, of that campaign.
  case pushOpened(campaign: String?)
}

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

  /// What can happen, in a word.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case launch
    case foreground
    case sessionStart
    case event
    case purchase
    case pushOpened
  }

  /// How it is called, whatever the event or the product.
  package var name: Name {
    switch self {
    case .launch: .launch
    case .foreground: .foreground
    case .sessionStart: .sessionStart
    case .event: .event
    case .purchase: .purchase
    case .pushOpened: .pushOpened
    }
  }
}

package import Vocabulary

/// What triggers a campaign.
package enum Trigger: Equatable, Sendable {
  /// The app was started.
  case launch
  /// The app came to the front.
  case foreground
  /// The person began to use the app: after it was away for the session's time-out.
  case sessionStart
  /// A push was opened; of that campaign, or any.
  case pushOpened(campaign: String?)
  /// Something was bought; that product, or any.
  case purchase(product: String?, filters: [PropertyFilter])
  /// The app logged an event of that name whose properties satisfy all filters.
  case event(name: String, filters: [PropertyFilter])
  /// Another message was clicked, on that button or anywhere.
  case messageClicked(campaign: CampaignID, button: String?)

  /// The kinds of triggers.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case launch
    case foreground
    case sessionStart
    case pushOpened
    case purchase
    case event
    case messageClicked
  }

  /// The kind of this trigger.
  package var name: Name {
    switch self {
    case .launch: .launch
    case .foreground: .foreground
    case .sessionStart: .sessionStart
    case .pushOpened: .pushOpened
    case .purchase: .purchase
    case .event: .event
    case .messageClicked: .messageClicked
    }
  }

  /// Which interval rules the trigger falls under.
  package var triggerClass: TriggerClass {
    switch self {
    case .launch, .foreground, .sessionStart: .foreground
    case .pushOpened, .purchase, .event, .messageClicked: .contextual
    }
  }
}

/// Whether a message is triggered by opening the app, or by something in the app.
package enum TriggerClass: String, Equatable, Hashable, Sendable, CaseIterable {
  case foreground
  case contextual
}

/// Whom a campaign is for: a condition on a person and their device.
package indirect enum Audience: Hashable, Sendable {
  case all
  case not(Audience)
  case allOf([Audience])
  case anyOf([Audience])
  case app(String)
  /// Versions compare number by number: 1.10 is later than 1.9.
  case version(PropertyFilter.Comparison, String)
  case attribute(PropertyFilter)
  /// The person is on the list of that name.
  case member(of: String)
  case users(Set<UserID>)
  /// The device can do it, such as `groupWatch`.
  case capability(String)
}

/// A condition on one property of an event, or one attribute of a person.
package struct PropertyFilter: Hashable, Sendable {
  package var key: String
  package var comparison: Comparison
  /// What to compare with; nothing for `set` and `unset`.
  package var value: PropertyValue?

  /// A condition.
  package init(_ key: String, _ comparison: Comparison, _ value: PropertyValue? = nil) {
    self.key = key
    self.comparison = comparison
    self.value = value
  }

  /// How a property is compared; values of different types are neither equal nor ordered.
  package enum Comparison: String, Equatable, Sendable, CaseIterable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    /// A regular expression is found somewhere in the text.
    case search
    case set
    case unset
    /// Instants, as RFC 3339 texts.
    case before
    case after
  }
}

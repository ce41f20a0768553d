package import Vocabulary

/// What the places of a template are filled with.
package struct TemplateValues: Sendable {
  /// `event.*`: its properties; also `event.name` and `event.product`, unless properties are named so.
  package var event: AppEvent?
  /// `user.*`: their attributes; also `user.id`.
  package var user: UserID
  package var attributes: AttributeTable
  /// `session.id`.
  package var session: SessionID?

  /// Values.
  package init(
    event: AppEvent?, user: UserID, attributes: AttributeTable = [:],
    session: SessionID? = nil
  ) {
    self.event = event
    self.user = user
    self.attributes = attributes
    self.session = session
  }

  /// The text for a place; `nil` if there is none, and no default.
  func value(of place: Template.Place) -> String? {
    var value = value(of: place.source)
    for filter in place.filters {
      switch (filter, value) {
      // As in Liquid, an empty text is as good as none.
      case (.fallback(let text), nil), (.fallback(let text), .string("")),
        (.fallback(let text), .list([])):
        value = .string(text)
      case (.fallback, _): break
      case (.upcase, .string(let text)): value = .string(text.uppercased())
      case (.upcase, .list(let texts)): value = .list(texts.map { $0.uppercased() })
      case (.downcase, .string(let text)): value = .string(text.lowercased())
      case (.downcase, .list(let texts)): value = .list(texts.map { $0.lowercased() })
      case (.join(let separator), .list(let texts)):
        value = .string(texts.joined(separator: separator))
      case (.upcase, _), (.downcase, _), (.join, _): break
      }
    }
    return value?.text
  }

  private func value(of source: Template.Source) -> PropertyValue? {
    switch source {
    case .literal(let text): .string(text)
    case .user(let key): attributes[key] ?? (key == "id" ? .string(user.text) : nil)
    case .session(let key): key == "id" ? session.map { .string($0.text) } : nil
    case .event(let key): event?.properties[key] ?? (event?.fact(key)).map(PropertyValue.string)
    }
  }
}

extension AppEvent {
  /// What the app told of it.
  var properties: [String: PropertyValue] {
    switch self {
    case .event(_, let properties), .purchase(_, let properties): properties
    case .launch, .foreground, .sessionStart, .pushOpened: [:]
    }
  }

  fileprivate func fact(_ key: String) -> String? {
    switch (self, key) {
    case (.event(let name, _), "name"): name
    case (.purchase(let product, _), "product"): product
    case (.pushOpened(let campaign), "campaign"): campaign
    default: nil
    }
  }
}

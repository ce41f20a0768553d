/// The registered views, and the choice of one for a message.
///
/// Custom views and the default one coexist: a view for one kind of message changes nothing for the
/// others.
package struct ViewRegistry: Equatable, Sendable {
  /// The extra in which a campaign's author names the view.
  package static let typeKey = "view_type"
  /// The name of the view that shows a message if no other does.
  package static let defaultView = "default"

  /// What each view needs, by its name.
  package private(set) var requirements: [String: MessageViewRequirements] = [:]
  private var kinds: [InAppMessage.Kind: String] = [:]
  /// The kinds that have a view of their own.
  package var kindsWithView: Set<InAppMessage.Kind> { Set(kinds.keys) }
  /// Whether a message for which no view is registered is refused instead of shown in the default
  /// view.
  package var isStrict = false

  /// A registry with the built-in views.
  package init() {
    for view in ShippedView.allCases { register(view.rawValue, view.requirements) }
  }

  /// Adds a view under a name, or changes what it needs.
  package mutating func register(
    _ name: String, _ requirements: MessageViewRequirements = MessageViewRequirements()
  ) {
    self.requirements[name] = requirements
  }

  /// A name that no view is registered under.
  package struct UnknownView: Error, Equatable, Sendable {
    package let name: String
  }

  /// Makes a registered view the one for a kind; `nil` restores the default one.
  ///
  /// - Throws: if no view has that name; then nothing changes.
  package mutating func use(
    _ name: String?, for kind: InAppMessage.Kind
  ) throws(UnknownView) {
    if let name, requirements[name] == nil { throw UnknownView(name: name) }
    kinds[kind] = name
  }

  /// A view for a message, and a problem with the choice.
  package struct Choice: Equatable, Sendable {
    /// `nil` if a strict registry has none.
    package var view: String?
    /// A name that no view has, or a kind that none is for.
    package var unknown: String?

    package init(view: String?, unknown: String? = nil) {
      self.view = view
      self.unknown = unknown
    }
  }

  /// The view that a message's author chose, other than the default one; `nil` for none.
  package static func view(namedIn extras: [String: PropertyValue]) -> String? {
    extras[typeKey]?.string.flatMap { $0 == defaultView ? nil : $0 }
  }

  /// The view for a context: the app's choice, otherwise the campaign's, the kind's, or the default
  /// one.
  package func choose(for context: PresentationContext) -> Choice {
    let message = context.message
    let asked = [context.viewType, message.extras[Self.typeKey]?.string].compactMap(\.self)
    let byKind = kinds[message.kind]
    // The first one named decides: an unknown name is a mistake, and the next one is not tried.
    if let name = asked.first {
      if requirements[name] != nil || name == Self.defaultView { return Choice(view: name) }
      return Choice(view: isStrict ? nil : byKind ?? Self.defaultView, unknown: name)
    }
    if let byKind { return Choice(view: byKind) }
    return isStrict
      ? Choice(view: nil, unknown: message.kind.rawValue) : Choice(view: Self.defaultView)
  }

  /// What the chosen view needs.
  package func requirements(of view: String) -> MessageViewRequirements {
    requirements[view] ?? MessageViewRequirements()
  }
}

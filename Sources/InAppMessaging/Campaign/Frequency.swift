/// Whether a person who has seen a campaign's message may see it again.
package enum ReEligibility: Equatable, Sendable {
  case never
  /// So long after the last impression; zero is always.
  case after(Duration)
}

/// How often at most a person sees a campaign's messages.
package struct FrequencyCap: Equatable, Sendable {
  package var limit: Int
  package var window: Window

  /// A cap.
  package init(_ limit: Int, per window: Window) {
    self.limit = limit
    self.window = window
  }

  /// What impressions are counted in.
  package enum Window: Equatable, Sendable {
    case ever
    /// Since the person last began to use the app.
    case session
    case rolling(Duration)
  }
}

/// How far apart messages come: Braze's and Firebase's throttles in one form.
package struct IntervalRule: Equatable, Sendable {
  /// Messages whose trigger is of these classes keep the distance.
  package var appliesTo: Set<TriggerClass>
  /// They keep it from the last message whose trigger was of these.
  package var startedBy: Set<TriggerClass>
  package var minimum: Duration

  /// A rule.
  package init(
    appliesTo: Set<TriggerClass>, startedBy: Set<TriggerClass>, minimum: Duration
  ) {
    self.appliesTo = appliesTo
    self.startedBy = startedBy
    self.minimum = minimum
  }

  /// Braze's: any two messages are 30 s apart.
  package static let braze = IntervalRule(
    appliesTo: [.foreground, .contextual], startedBy: [.foreground, .contextual],
    minimum: .seconds(30))

  /// Firebase's: messages since the app was opened come once in 24 h, others whenever.
  package static let firebase = IntervalRule(
    appliesTo: [.foreground], startedBy: [.foreground], minimum: .seconds(86_400))
}

/// What a campaign has instead of the interval rules.
package enum IntervalOverride: Equatable, Sendable {
  case inherit
  case ignore
  /// A distance of its own from the last message of any class.
  case atLeast(Duration)
}

package import InAppMessaging

/// What a client asks for, or tells, about its person's in-app messages.
///
/// Everything is about the person who said hello, and about the device that says it. A `sequence`
/// numbers what one run of a client tells, rising: what is not above the last one is a repeat, also
/// on another connection and long after the answers to requests are forgotten.
package enum MessagingRequest: Equatable, Sendable {
  /// How the app is now. A device that never says it gets no messages.
  case appState(AppState)

  // What happened.
  case logEvent(String, [String: PropertyValue], sequence: Int?)
  case logPurchase(product: String, [String: PropertyValue], sequence: Int?)
  case logPushOpened(campaign: String?, sequence: Int?)
  case report(MessageID, MessageReport, sequence: Int?)

  // The person.
  /// Sets attributes; `nil` takes one away.
  case setAttributes([String: PropertyValue?])
  case setMembership(list: String, Bool)
  /// Whether anything is collected of the person.
  case setCollection(Bool)
  /// Whether the person's messages rest.
  case pause(Bool)
  /// Forgets everything that is known of the person.
  case wipe

  // Questions, and trying out.
  /// Which of these deliveries still stand; those that do not are revoked before the answer.
  case revalidate([MessageID])
  /// Why the person does not see a campaign, or any of the late ones.
  case explain(CampaignID?)
  /// Shows a campaign here whatever the limits, as if that event had been logged.
  case test(CampaignID, variant: String?, event: String?, [String: PropertyValue])
}

/// How an app is on a device, all of it: what is left out is not so.
package struct AppState: Equatable, Sendable {
  /// Whether the person has the app in sight.
  package var isVisible: Bool
  /// What has just happened to bring it there.
  package var change: Change?
  /// Drawn by the client when it starts: another one means that nothing waits on its stack any
  /// more, and that it numbers from the beginning.
  package var epoch: Int
  package var sequence: Int?
  /// The app's identifier.
  package var app: String?
  /// The app's version, compared number by number.
  package var version: String?
  /// What the device can do, such as `groupWatch`.
  package var capabilities: Set<String>

  /// What messages can be triggered by.
  package enum Change: String, Equatable, Sendable, CaseIterable {
    case launch
    case foreground
    case sessionStart

    /// The same as what an app logs.
    package var event: AppEvent {
      switch self {
      case .launch: .launch
      case .foreground: .foreground
      case .sessionStart: .sessionStart
      }
    }
  }

  /// A state.
  package init(
    isVisible: Bool, change: Change? = nil, epoch: Int = 0, sequence: Int? = nil,
    app: String? = nil, version: String? = nil, capabilities: Set<String> = []
  ) {
    self.isVisible = isVisible
    self.change = change
    self.epoch = epoch
    self.sequence = sequence
    self.app = app
    self.version = version
    self.capabilities = capabilities
  }
}

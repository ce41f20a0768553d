package import InAppMessaging
package import Vocabulary

/// A client's request about its person's in-app messages.
///
/// It concerns the person and the device of the connection's hello, unless it names another person.
/// `sequence` numbers what one run of a client reports, in ascending order: a number that is not
/// above the last one is a repetition, even on another connection and after the answers to requests
/// are forgotten.
package enum MessagingRequest: Equatable, Sendable {
  /// The app's current state; a device that never sends it gets no messages.
  case appState(AppState)

  // Events.
  case logEvent(String, [String: PropertyValue], sequence: Int?)
  case logPurchase(product: String, [String: PropertyValue], sequence: Int?)
  case logPushOpened(campaign: String?, sequence: Int?)
  case report(MessageID, MessageReport, sequence: Int?)

  // The person.
  /// Sets attributes; `nil` removes one.
  case setAttributes([String: PropertyValue?])
  case setMembership(list: String, Bool)
  /// Sets whether data about the person is collected.
  case setCollection(Bool)
  /// Sets whether the person's messages are paused.
  case pause(Bool)
  /// Erases everything that is known about the person.
  case wipe

  // Questions and tests.
  /// Checks deliveries; those that are no longer valid are revoked before the answer.
  case revalidate([MessageID])
  /// Asks why the person does or does not see a campaign; without a campaign, each of them.
  ///
  /// An administrator asks about the person whom the request names.
  case explain(CampaignID?, of: UserID? = nil)
  /// Shows a campaign on this device without regard to limits, as if the event had been logged.
  case test(CampaignID, variant: String?, event: String?, [String: PropertyValue])
}

/// The complete state of an app on a device; what is left out does not apply.
package struct AppState: Equatable, Sendable {
  /// Whether the app is visible.
  package var isVisible: Bool
  /// What just happened to make it visible.
  package var change: Change?
  /// A random number of the client's run; a new one means that its stack is empty and its sequence
  /// starts again.
  package var epoch: Int
  package var sequence: Int?
  /// The app's identifier.
  package var app: String?
  /// The app's version, compared number by number.
  package var version: String?
  /// The device's capabilities, such as `groupWatch`.
  package var capabilities: Set<String>

  /// The changes that can trigger messages.
  package enum Change: String, Equatable, Sendable, CaseIterable {
    case launch
    case foreground
    case sessionStart

    /// The corresponding event.
    package var event: AppEvent {
      switch self {
      case .launch: .launch
      case .foreground: .foreground
      case .sessionStart: .sessionStart
      }
    }
  }

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

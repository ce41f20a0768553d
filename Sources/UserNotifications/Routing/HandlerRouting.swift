/// Which handlers hear of a notification, and in which order.
///
/// Apps use two generations of calls and are in one of three phases, and notifications are remote
/// or local. A response calls at most one handler besides the launch handler. R is reception, W
/// will present, U user action, L launch, A legacy action:
///
/// | Arrives | mode | in front | in background | not running |
/// |---|---|---|---|---|
/// | for its user | center | W, shown as it says; without W: R, not shown | shown | shown |
/// | for its user | legacySettings | R, not shown | shown | shown |
/// | for its user and the app | center | W and R; without W: R, not shown | shown, R | shown, R |
/// | for its user and the app | legacySettings | R, not shown | shown, R | shown |
/// | silent | both | R | R | R |
/// | neither | both | R | | |
/// | local | center | W, shown as it says; without W not shown | shown | shown |
/// | local | legacySettings | not shown | shown | shown |
///
/// | The person | mode | running | not running |
/// |---|---|---|---|
/// | taps it, or takes an action in the app | center | U | L, U |
/// | takes an action in the background | center | U | U |
/// | dismisses it, and its category asks | center | U | U |
/// | taps it | legacySettings | R | L, R |
/// | takes an action in the app | legacySettings | A | L, A |
/// | takes an action in the background | legacySettings | A | A |
/// | anything about a local one | legacySettings | | L, if that opens the app |
///
/// R for an app that is not running holds on systems that start the app for it.
/// Sources: Kii, "User Action Handler" and "Combinations of Reception Methods"; Apple,
/// UserNotifications.
package struct HandlerRouting: Hashable, Sendable {
  /// Which calls the app registered with.
  package var mode: RegistrationMode
  /// Where the app is.
  package var phase: AppPhase

  /// The routing of an app that registered with `mode` and is in `phase`.
  package init(_ mode: RegistrationMode, _ phase: AppPhase) {
    self.mode = mode
    self.phase = phase
  }
}

// MARK: What arrives

extension HandlerRouting {
  /// The traits of a notification that decide its routing.
  package struct Traits: Hashable, Sendable {
    /// Whether its user should notice it.
    package var isForUser: Bool
    /// Whether the app hears of it in the background, too.
    package var isContentAvailable: Bool
    /// Whether the server sent it.
    package var isRemote: Bool

    package init(isForUser: Bool, isContentAvailable: Bool, isRemote: Bool = true) {
      self.isForUser = isForUser
      self.isContentAvailable = isContentAvailable
      self.isRemote = isRemote
    }

    /// A payload's traits.
    package init(_ payload: NotificationPayload) {
      self.init(
        isForUser: payload.isForUser, isContentAvailable: payload.isContentAvailable)
    }

    /// A local notification is for its user only.
    package static let local = Traits(
      isForUser: true, isContentAvailable: false, isRemote: false)
  }

  /// Whether a notification is shown.
  package enum Showing: Hashable, Sendable, CaseIterable {
    case never
    /// As the willPresent handler decides.
    case asked
    case always
  }

  /// What happens when a notification arrives.
  package struct Arrival: Hashable, Sendable {
    /// Who hears of it, in this order.
    package var handlers: [NotificationHandler]
    /// Whether it is shown.
    package var showing: Showing
  }

  /// What happens when a notification arrives.
  ///
  /// - Parameters:
  ///   - traits: what kind of notification it is.
  ///   - hasWillPresent: whether the app has that handler.
  ///   - isWoken: whether the system starts an app that is not running.
  package func arrival(_ traits: Traits, hasWillPresent: Bool, isWoken: Bool = true) -> Arrival {
    let asks = mode == .center && phase == .foreground && traits.isForUser && hasWillPresent
    let showing: Showing =
      if asks { .asked } else { phase != .foreground && traits.isForUser ? .always : .never }
    var handlers: [NotificationHandler] = asks ? [.willPresent] : []
    if hasReception(traits, isAsked: asks, isWoken: isWoken) { handlers.append(.reception) }
    return Arrival(handlers: handlers, showing: showing)
  }

  private func hasReception(_ traits: Traits, isAsked: Bool, isWoken: Bool) -> Bool {
    guard traits.isRemote else { return false }
    return switch phase {
    case .foreground: !isAsked || traits.isContentAvailable
    case .background: traits.isContentAvailable
    case .notRunning:
      isWoken && traits.isContentAvailable && (mode == .center || !traits.isForUser)
    }
  }
}

// MARK: What people do

extension HandlerRouting {
  /// The ways in which a person responds to a notification.
  package enum Gesture: Hashable, Sendable {
    /// Taps the notification itself.
    case tap
    /// Takes one of its actions.
    case action(isForeground: Bool)
    /// Takes an action that its category does not have, such as one of an earlier version of the
    /// app.
    case unknownAction
    /// Dismisses it.
    case dismissal(isAskedFor: Bool)

    /// The gesture of an action on a notification of that category.
    package init(_ actionID: String, of category: NotificationCategory?) {
      self =
        switch actionID {
        case ActionIdentifier.defaultAction: .tap
        case ActionIdentifier.dismissAction:
          .dismissal(isAskedFor: category?.options.contains(.customDismissAction) ?? false)
        default:
          category?.action(actionID).map {
            .action(isForeground: $0.options.contains(.foreground))
          } ?? .unknownAction
        }
    }

    /// Whether it brings the app to the front.
    package var opensApp: Bool {
      switch self {
      case .tap, .action(isForeground: true): true
      case .action(isForeground: false), .unknownAction, .dismissal: false
      }
    }
  }

  /// The handlers that hear of a response, in this order.
  package func handlers(of gesture: Gesture, isRemote: Bool) -> [NotificationHandler] {
    let launch: [NotificationHandler] =
      gesture.opensApp && phase == .notRunning ? [.launch] : []
    if let handler = handler(of: gesture, isRemote: isRemote) { return launch + [handler] }
    return launch
  }

  private func handler(of gesture: Gesture, isRemote: Bool) -> NotificationHandler? {
    switch (mode, gesture) {
    case (.center, .dismissal(let isAskedFor)): isAskedFor ? .userAction : nil
    case (.center, _): .userAction
    // The older handlers get remote notifications only.
    case (.legacySettings, _) where !isRemote: nil
    case (.legacySettings, .dismissal): nil
    case (.legacySettings, .tap): .reception
    case (.legacySettings, .action), (.legacySettings, .unknownAction): .legacyAction
    }
  }
}

/// The handlers that an app may have for notifications, of both generations.
package enum NotificationHandler: String, Hashable, Sendable, CaseIterable {
  /// A notification arrived; with the older calls also one that was tapped.
  case reception
  /// A notification arrived while the app is in front: whether and how to show it.
  case willPresent
  /// The person responded to a notification; the delegate of the centre.
  case userAction
  /// The app was started because of a notification.
  case launch
  /// The person took one of a category's actions; the older calls.
  case legacyAction
}

package import Vocabulary

/// One message on its way to one person, from the event that triggered it to its end.
///
/// Until it counts as seen, it reserves its campaign, so that a second event sends no second copy.
package struct Delivery: Equatable, Sendable, Identifiable {
  package let id: MessageID
  package let campaign: CampaignID
  package let variant: String
  package let cause: Cause
  /// Campaigns to try if this one fails before it is offered, the best first.
  package internal(set) var fallbacks: [CampaignID]
  /// When it expires.
  package let expires: Instant
  /// How many of the campaign's impressions its caps look at.
  package let remembered: Int
  /// Whether it is of a control: nothing is shown, but it counts.
  package let isControl: Bool
  /// Whether it is a trial, which counts for nothing.
  package let isTest: Bool
  /// Whether it is exempt from the intervals: of a campaign whose messages belong to sessions.
  package let isSessionBound: Bool
  package internal(set) var phase: Phase
  /// Whether it counted as seen.
  package internal(set) var isSeen: Bool
  package internal(set) var isClicked: Bool

  /// Fallbacks kept: if five templates in a row lack a value, the event is at fault.
  static let mostFallbacks = 4

  /// What triggered the delivery; its template reads it when the delivery is due.
  package struct Cause: Equatable, Sendable {
    package let event: AppEvent?
    package let triggerClass: TriggerClass
    package let at: Instant
    /// The device it happened on; messages of sessions and trials go to no other.
    package let device: DeviceID?
    package let session: SessionID?

    package init(
      event: AppEvent?, triggerClass: TriggerClass, at: Instant, device: DeviceID?,
      session: SessionID?
    ) {
      self.event = event
      self.triggerClass = triggerClass
      self.at = at
      self.device = device
      self.session = session
    }

    /// Whether the event names a session in which its device does not take part: it waited in the
    /// client until that session was over, or the device had left it.
    var namesOtherSession: Bool {
      guard let named = event?.properties[AppEvent.sessionKey]?.string else { return false }
      return named != session?.text
    }
  }

  /// How far a delivery has got.
  package enum Phase: Equatable, Sendable {
    /// Its delay runs.
    case scheduled(due: Instant)
    /// It is due, and none of the person's devices is in sight.
    case due
    /// It was sent, and the device has not reported on it yet.
    case offered(to: DeviceID, at: Instant)
    /// It lies on the device's stack.
    case waiting(on: DeviceID)
    /// It is on the screen.
    case started(on: DeviceID)
  }

  /// A delivery.
  package init(
    id: MessageID, campaign: CampaignID, variant: String, cause: Cause,
    fallbacks: [CampaignID] = [], expires: Instant, remembered: Int = 1, isControl: Bool = false,
    isTest: Bool = false, isSessionBound: Bool = false, phase: Phase, isSeen: Bool = false,
    isClicked: Bool = false
  ) {
    self.id = id
    self.campaign = campaign
    self.variant = variant
    self.cause = cause
    self.fallbacks = fallbacks
    self.expires = expires
    self.remembered = remembered
    self.isControl = isControl
    self.isTest = isTest
    self.isSessionBound = isSessionBound
    self.phase = phase
    self.isSeen = isSeen
    self.isClicked = isClicked
  }

  /// The device that has it, once it was sent.
  package var device: DeviceID? {
    switch phase {
    case .scheduled, .due: nil
    case .offered(let device, _), .waiting(let device), .started(let device): device
    }
  }

  /// The device on whose stack or screen it is.
  package var lyingOn: DeviceID? {
    switch phase {
    case .scheduled, .due, .offered: nil
    case .waiting(let device), .started(let device): device
    }
  }

  /// The only device that it may go to: a trial's own, or the one in its session.
  var pinnedTo: DeviceID? {
    isTest || (isSessionBound && cause.session != nil) ? cause.device : nil
  }

  /// Its outcome when it leaves the screen.
  func outcome(dismissedBy reason: InAppMessage.DismissReason) -> InAppMessage.Outcome {
    isControl ? .control : .presented(dismissedBy: reason)
  }

  /// Whether it keeps its campaign from being delivered again.
  package var isReserving: Bool { !isSeen && !isTest }
}

/// A connected device of a person, as the coordinator sees it at this moment.
///
/// Presence comes with each command and is never kept, because it ends with the connection.
package struct DevicePresence: Equatable, Sendable {
  package var device: DeviceID
  /// Whether the app is in the foreground.
  package var isVisible: Bool
  /// When the person last used it; of several visible devices, the last used one is chosen.
  package var lastActive: Instant
  /// The app's identifier.
  package var app: String?
  /// The app's version, such as `1.10.2`.
  package var version: String?
  /// What it can do, such as `groupWatch`.
  package var capabilities: Set<String>

  package init(
    _ device: DeviceID, isVisible: Bool = true, lastActive: Instant, app: String? = nil,
    version: String? = nil, capabilities: Set<String> = []
  ) {
    self.device = device
    self.isVisible = isVisible
    self.lastActive = lastActive
    self.app = app
    self.version = version
    self.capabilities = capabilities
  }
}

extension CampaignSet {
  /// Whether a delivery is to leave the screen, too, because its campaign is recalled.
  package func recalls(_ delivery: Delivery) -> Bool {
    !delivery.isTest && self[delivery.campaign]?.state == .recalled
  }
}

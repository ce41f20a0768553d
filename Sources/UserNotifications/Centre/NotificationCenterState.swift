package import Vocabulary

/// A device's whole dealing with notifications as one value: inputs go in, outputs come out.
///
/// It has no clock, no screen and no task. Whoever drives it, an app's library, a terminal or a
/// page, carries out the outputs of each input in their order, feeds what comes of them back in, and
/// wakes it at ``nextDeadline``:
///
/// ```
/// outputs = center.handle(input, at: now)
/// for output in outputs { carry out }       // answers of handlers are further inputs
/// timer.arm(center.nextDeadline)            // then .clockAdvanced
/// ```
///
/// What it promises: at most one handler hears of what a person did, and exactly one does where
/// the app's calls have one for it; each call of a handler ends once, by the handler's word or by
/// time; what the server sent is acknowledged once for its arrival and once for its response; and
/// nothing grows for ever.
package struct NotificationCenterState: Equatable, Sendable {
  package var settings: CenterSettings
  /// Which calls the app registered with.
  package internal(set) var mode: RegistrationMode
  /// Which handlers the app has.
  package internal(set) var handlers: Handlers = []
  /// Where the app is.
  package internal(set) var phase: AppPhase
  /// Whether the person has yet to show who they are.
  package internal(set) var isLocked = false
  /// How often a handler said more than once, or too late, that it was done.
  package internal(set) var extraCompletions = 0
  /// What the clock on the wall showed when it was read last.
  package internal(set) var clock: DeviceClock
  /// By their names; each registration replaces all.
  var categories: [String: NotificationCategory] = [:]
  /// In the order they came to stand.
  var standing: [StandingNotification] = []
  /// What arrived and is not acknowledged yet.
  var arrivals: [Arrival] = []
  /// Handlers that have not said that they are done, the oldest first.
  var calls: [Call] = []
  /// Responses for which the app has no handler yet, the oldest first.
  var kept: [KeptResponse] = []
  /// Actions that wait for the person to show who they are, the oldest first.
  var locked: [LockedAction] = []
  /// Local notifications that wait.
  var requests: [PendingRequest] = []
  var seen = SeenNotifications()
  /// Whether the app was told why it was started.
  var hasLaunched = false
  var lastToken = 0
  var now: HostTime
  var outputs: [Output] = []

  /// A centre of an app that registered so, and is there.
  package init(
    _ settings: CenterSettings = CenterSettings(), mode: RegistrationMode = .center,
    phase: AppPhase = .foreground, clock: DeviceClock
  ) {
    self.settings = settings
    self.mode = mode
    self.phase = phase
    self.clock = clock
    now = clock.time
  }

  /// Takes one input in and says what is to be done, in order.
  ///
  /// What was due before is done first, so that an answer that is late is late however late the
  /// wake-up was.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - time: when; an earlier one than before counts as the one before.
  package mutating func handle(_ input: Input, at time: HostTime) -> [Output] {
    now = max(now, time)
    defer { outputs = [] }
    advanceClock()
    switch input {
    case .register(let mode): self.mode = mode
    case .handlers(let handlers): set(handlers)
    case .categories(let categories): set(categories)
    case .phase(let phase): set(phase)
    case .locked(let isLocked): set(isLocked: isLocked)
    case .unlockRefused(let id): locked.removeAll { $0.id == id }
    case .clock(let clock): set(clock)
    case .userChanged: forgetEverything()
    case .arrived(let notification): arrive(notification)
    case .listed(let standing, let new): hear(standing, new)
    case .heard(let id): seen.hear(id)
    case .revoked(let ids): remove(Set(ids))
    case .remove(let ids): removeForApp(Set(ids))
    case .schedule(let request): schedule(request)
    case .unschedule(let ids): requests.removeAll { ids.contains($0.request.id) }
    case .tapped(let id): respond(to: id, ActionIdentifier.defaultAction, nil)
    case .acted(let id, let action, let text): hear(id, action, text)
    case .dismissed(let id): respond(to: id, ActionIdentifier.dismissAction, nil)
    case .presented(let options, let token): answer(options, token)
    case .completed(let token, let result): complete(token, result)
    case .clockAdvanced: break
    }
    return outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package var nextDeadline: HostTime? { nextDue?.time }
}

// MARK: What an app may ask at any time

extension NotificationCenterState {
  /// The notifications that stand, in the order they came to.
  package var standingNotifications: [UserNotification] { standing.map(\.notification) }

  /// The local notifications that wait, in the order they were asked for.
  package var pendingRequests: [NotificationRequest] { requests.map(\.request) }

  /// The category of a notification; `nil` if it has none that is registered.
  package func category(of notification: UserNotification) -> NotificationCategory? {
    notification.content.categoryID.flatMap { categories[$0] }
  }

  /// A notification of the server's as this device shows it, whether it stands or not.
  package func notification(_ remote: RemoteNotification) -> UserNotification {
    StandingNotification(remote, in: settings.texts).notification
  }

  /// How many responses wait until the app has a handler for them.
  package var keptResponses: Int { kept.count }
}

// MARK: What the app sets

extension NotificationCenterState {
  mutating func emit(_ output: Output) { outputs.append(output) }

  private mutating func set(_ categories: [NotificationCategory]) {
    self.categories = Dictionary(categories.map { ($0.id, $0) }) { first, _ in first }
  }

  private mutating func set(_ phase: AppPhase) {
    self.phase = phase
    if phase == .notRunning { hasLaunched = false }
  }

  private mutating func set(_ handlers: Handlers) {
    self.handlers = handlers
    let waiting = kept
    kept = []
    for response in waiting { deliver(response) }
  }

  private mutating func set(isLocked: Bool) {
    self.isLocked = isLocked
    guard !isLocked else { return }
    let waiting = locked
    locked = []
    for action in waiting { respond(to: action.id, action.actionID, action.text) }
  }

  /// Another person: nothing of the one before is shown, told or reported any more.
  private mutating func forgetEverything() {
    let ids = standing.map(\.id)
    if !ids.isEmpty { emit(.remove(ids)) }
    (standing, arrivals, kept, locked, requests) = ([], [], [], [], [])
    seen = SeenNotifications()
    // Handlers at work will say that they are done; nobody is told.
    for place in calls.indices { calls[place].purpose = .nothing }
  }
}

package import Vocabulary

/// Everything that a device does about notifications as one value: inputs go in, outputs come out.
///
/// It has no clock, no screen and no task. Its driver, such as an app's library, a terminal or a
/// page, carries out the outputs of each input in their order, feeds their results back in, and wakes
/// it at ``nextDeadline``:
///
/// ```
/// outputs = center.handle(input, at: now)
/// for output in outputs { carry out }       // answers of handlers are further inputs
/// timer.arm(center.nextDeadline)            // then .clockAdvanced
/// ```
///
/// It promises that
/// - at most one handler hears of a person's response, and exactly one if the app has a handler for
///   it;
/// - each call of a handler ends once, when the handler says so or runs out of time;
/// - each notification of the server is acknowledged once for its arrival and once for its response;
/// - nothing grows for ever.
package struct NotificationCenterState: Equatable, Sendable {
  package var settings: CenterSettings
  /// Which generation of calls the app registered with.
  package private(set) var mode: RegistrationMode
  /// Which handlers the app has.
  package private(set) var handlers: Handlers = []
  /// Where the app is.
  package private(set) var phase: AppPhase
  /// Whether the person has yet to unlock the device.
  package private(set) var isLocked = false
  /// What the wall clock showed when it was last read.
  package private(set) var clock: DeviceClock
  /// By their names; each registration replaces all.
  private var categories: [String: NotificationCategory] = [:]
  var standing = StandingNotifications()
  private var arrivals = RemoteArrivals()
  var seen = SeenNotifications()
  private var calls = HandlerCalls()
  private var requests = LocalRequests()
  /// Responses for which the app has no handler yet, the oldest first.
  var kept: [KeptResponse] = []
  /// Whether the app was told why it was started.
  var hasLaunched = false
  private(set) var now: HostTime
  private var outputs: [Output] = []

  /// The centre of an app that registered with `mode` and is in `phase`.
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

  /// Takes one input, and returns the outputs to carry out, in order.
  ///
  /// Deadlines that have passed are met first, so a late answer counts as late even if the wake-up
  /// was later still.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - time: when; time never goes back, so an earlier one counts as the latest before.
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
    case .unlockRefused(let id): standing.cancelAction(on: id)
    case .clock(let clock): set(clock)
    case .userChanged: forgetEverything()
    case .arrived(let notification): arrive(notification)
    case .listed(let standing, let new): hear(standing, new)
    case .heard(let id): seen.hear(id)
    case .revoked(let ids): remove(Set(ids))
    case .remove(let ids): removeForApp(Set(ids))
    case .schedule(let request): schedule(request)
    case .unschedule(let ids): requests.remove(ids)
    case .tapped(let id): respond(to: id, ActionIdentifier.defaultAction, nil)
    case .acted(let id, nil, _): emit(.warn(.noAction, id))
    case .acted(let id, let action?, let text): respond(to: id, action, text)
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
  /// The notifications that stand, in the order in which they came to stand.
  package var standingNotifications: [UserNotification] { standing.all.map(\.notification) }

  /// The local notifications that wait, in the order in which they were asked for.
  package var pendingRequests: [NotificationRequest] { requests.all }

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

  /// How often a handler said a second time, or too late, that it was done.
  package var extraCompletions: Int { calls.extraCompletions }
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
    for action in standing.unlock() { respond(to: action.id, action.actionID, action.text) }
  }

  private mutating func set(_ clock: DeviceClock) {
    self.clock = clock
    requests.clockWasSet(to: clock, at: now)
    advanceClock()
  }

  /// Another person uses the app: it shows, calls and reports nothing of the one before.
  private mutating func forgetEverything() {
    let ids = standing.all.map(\.id)
    if !ids.isEmpty { emit(.remove(ids)) }
    standing = StandingNotifications()
    arrivals = RemoteArrivals()
    seen = SeenNotifications()
    requests = LocalRequests()
    kept = []
    calls.forgetPurposes()
  }
}

// MARK: Deadlines

extension NotificationCenterState {
  /// What to do when its time has come.
  private enum Due {
    case call(HandlerCalls.Call)
    case expiry(NotificationID)
    case unlock(NotificationID)
    case request(NotificationID)
  }

  /// What is due next, and when; of several due at the same time, the first in this order.
  private var nextDue: (time: HostTime, due: Due)? {
    let all: [(time: HostTime, due: Due)?] = [
      calls.next.map { ($0.time, .call($0.call)) },
      standing.nextExpiry.map { (clock.time(of: $0.instant), .expiry($0.id)) },
      standing.nextLocked.map { ($0.due, .unlock($0.id)) },
      requests.next(by: clock).map { ($0.time, .request($0.id)) },
    ]
    return all.compactMap(\.self).min { $0.time < $1.time }
  }

  private mutating func advanceClock() {
    // Meeting a deadline removes it or moves it behind now.
    while let (time, due) = nextDue, time <= now { meet(due) }
  }

  private mutating func meet(_ due: Due) {
    switch due {
    case .call(let call): giveUp(call)
    case .expiry(let id): remove([id])
    case .unlock(let id):
      standing.cancelAction(on: id)
      emit(.warn(.unlockForgotten, id))
    case .request(let id):
      if let request = requests.fire(id, at: now, by: clock) { arrive(request) }
    }
  }

  private mutating func schedule(_ request: NotificationRequest) {
    do throws(NotificationRequest.Fault) {
      guard try !requests.schedule(request, at: now, by: clock, settings) else { return }
      arrive(request)
    } catch {
      emit(.refuse(request.id, error))
    }
  }
}

// MARK: What arrives

extension NotificationCenterState {
  private mutating func arrive(_ remote: RemoteNotification) {
    remove(Set(remote.payload.revokes))
    guard !arrivals.contains(remote.id) else { return }
    guard seen.arrive(remote.id, limit: settings.memory) else {
      return emit(.report(remote.id, .acknowledged(.alreadyDelivered)))
    }
    let notification = StandingNotification(remote, in: settings.texts)
    guard !notification.isExpired(at: clock.instant(at: now)) else {
      return emit(.report(remote.id, .acknowledged(.notPresented)))
    }
    route(notification, HandlerRouting.Traits(remote.payload))
    settle(remote.id) { _ in }
  }

  /// A local notification's time has come.
  private mutating func arrive(_ request: NotificationRequest) {
    route(StandingNotification(request, at: clock.instant(at: now)), .local)
  }

  private mutating func route(
    _ candidate: StandingNotification, _ traits: HandlerRouting.Traits
  ) {
    calls.withdrawPresentations { candidate.replaces($0) }
    let route = HandlerRouting(mode, phase).arrival(
      traits, hasWillPresent: handlers.contains(.willPresent))
    // Outside the app, a passive notification neither interrupts nor sounds.
    let isPassive = candidate.notification.content.interruptionLevel == .passive
    let isShown = route.showing == .always && show(candidate, isPassive ? [.badge, .list] : .all)
    let called = route.handlers.filter { handlers.contains(Handlers($0)) }
    // Shown or not, it ends those before it; if the app is asked, once the app has answered.
    if route.showing != .asked { remove(standing.outdated(by: candidate)) }
    if traits.isRemote {
      // Noted before the first call, because a call may end another one.
      var arrival = RemoteArrivals.Arrival(id: candidate.id, isForUser: traits.isForUser)
      if isShown { arrival.showing = .presented }
      if called.contains(.willPresent) { arrival.showing = .asked }
      if called.contains(.reception) { arrival.reception = .running }
      arrivals.append(arrival)
    }
    for handler in called {
      if handler == .willPresent {
        call(
          .willPresent(candidate.notification), of: candidate.id,
          for: .presentation(candidate, isRemote: traits.isRemote))
      } else {
        callReception(candidate.notification, for: .arrival)
      }
    }
  }

  /// Changes an arrival, and tells the server once no handler is at work on it.
  private mutating func settle(
    _ id: NotificationID, _ change: (inout RemoteArrivals.Arrival) -> Void
  ) {
    if let result = arrivals.settle(id, change) { emit(.report(id, .acknowledged(result))) }
  }

  /// Of the server's notifications, only those that it lists go on standing or may yet be shown.
  private mutating func hear(_ known: [RemoteNotification], _ new: [RemoteNotification]) {
    let listed = Set((known + new).map(\.id))
    calls.withdrawPresentations { $0.isRemote && !listed.contains($0.id) }
    let gone = standing.all.filter { $0.isRemote && !listed.contains($0.id) }
    remove(Set(gone.map(\.id)))
    for remote in known where standing[remote.id] == nil {
      // Either the app is being asked about it, or the server has yet to hear that it was put away.
      guard !arrivals.contains(remote.id), !seen.isPutAway(remote.id) else { continue }
      _ = show(StandingNotification(remote, in: settings.texts), .list)
    }
    for remote in new { arrive(remote) }
  }
}

// MARK: What stands

extension NotificationCenterState {
  /// Shows what there is to show of a notification, and says whether that is anything.
  private mutating func show(
    _ candidate: StandingNotification, _ options: PresentationOptions
  ) -> Bool {
    guard !candidate.isExpired(at: clock.instant(at: now)) else { return false }
    let content = candidate.notification.content
    if options.contains(.badge), let badge = content.badge { emit(.badge(badge)) }
    let shown = options.reduced(to: content)
    guard !shown.isEmpty else { return false }
    let stands = !shown.isDisjoint(with: [.list, .banner])
    let replaced = stands ? standing.add(candidate) : []
    emit(
      .show(
        ShownNotification(
          notification: candidate.notification, category: category(of: candidate.notification),
          options: shown, replaced: replaced)))
    if standing.all.count > settings.standingLimit, let oldest = standing.all.first?.id {
      remove([oldest])
      emit(.warn(.crowdedOut, oldest))
    }
    return true
  }

  /// Takes notifications back, also those that are still to be shown, with what these replace.
  mutating func remove(_ ids: Set<NotificationID>) {
    guard !ids.isEmpty else { return }
    let withdrawn = calls.withdrawPresentations { ids.contains($0.id) }
    let gone = standing.remove(ids.union(withdrawn.flatMap(standing.outdated)))
    if !gone.isEmpty { emit(.remove(gone)) }
  }

  /// Removes notifications for the app, and tells the server of those that it knows.
  private mutating func removeForApp(_ ids: Set<NotificationID>) {
    let known = standing.all.filter { $0.isRemote && ids.contains($0.id) }
    remove(ids)
    for notification in known { reportGone(notification.id, .removed) }
  }
}

// MARK: Calls of handlers

extension NotificationCenterState {
  mutating func call(
    _ call: HandlerCall, of id: NotificationID, for purpose: HandlerCalls.Purpose
  ) {
    if calls.count >= settings.callLimit, let oldest = calls.oldest {
      emit(.warn(.tooManyCalls, oldest.id))
      giveUp(oldest)
    }
    let patience =
      call.handler == .willPresent ? settings.choicePatience : settings.completionPatience
    let token = calls.begin(call.handler, of: id, for: purpose, within: patience, at: now)
    emit(.call(call, token))
  }

  mutating func callReception(
    _ notification: UserNotification, for purpose: HandlerCalls.Purpose
  ) {
    let alreadyDelivered = seen.receive(notification.id, limit: settings.memory)
    call(
      .reception(notification, alreadyDelivered: alreadyDelivered), of: notification.id,
      for: purpose)
  }

  /// The willPresent handler answers.
  private mutating func answer(_ options: PresentationOptions, _ token: CallToken) {
    guard let call = calls.end(token, at: now, where: { $0 == .willPresent }) else { return }
    end(call, options: options)
  }

  /// Any other handler is done.
  private mutating func complete(_ token: CallToken, _ result: FetchResult) {
    guard let call = calls.end(token, at: now, where: { $0 != .willPresent }) else { return }
    end(call, call.purpose == .arrival ? result.deliveryResult : .completed)
  }

  private mutating func giveUp(_ call: HandlerCalls.Call) {
    calls.giveUp(call, at: now)
    // Also if the call was for a person who is gone, because its queue waits for the handler.
    emit(.warn(.handlerSilent(call.handler, call.token), call.id))
    end(call, .timedOut)
  }

  private mutating func end(
    _ call: HandlerCalls.Call, _ result: DeliveryResult = .completed,
    options: PresentationOptions = []
  ) {
    switch call.purpose {
    case .presentation(let notification, let isRemote):
      let isShown = notification.map { show($0, options.modern) } ?? false
      if let notification { remove(standing.outdated(by: notification)) }
      if isRemote { settle(call.id) { $0.showing = isShown ? .presented : .notPresented } }
    case .arrival: settle(call.id) { $0.reception = .ended(result) }
    case .response(let isRemote):
      if isRemote { emit(.report(call.id, .acknowledged(result))) }
    case .nothing: break
    }
  }
}

import Naming
import UserNotifications
import Vocabulary

/// A centre whose every input and output is held against what it promises.
struct WatchedCenter {
  var center: NotificationCenterState
  var time = Phone.start
  var faults: [String] = []
  /// Calls that have not ended, and what ends them.
  var running: [CallToken: Running] = [:]
  var lastToken: CallToken?
  /// What a screen that only follows the outputs would show.
  private var screen: [NotificationID] = []
  /// How often handlers are to hear of responses to each, how often they did, and what waits.
  private var owed: [NotificationID: Int] = [:]
  /// How many words the server is still to hear of each.
  private var unacknowledged: [NotificationID: Int] = [:]
  private var arrived: Set<NotificationID> = []
  /// What was responded to or removed, and the server may not know yet.
  private var putAway: Set<NotificationID> = []
  /// Actions that wait for the person to show who they are.
  private var waiting: Set<NotificationID> = []
  private var extra = 0
  /// Calls for a person who is gone.
  private var gone: [CallToken: Running] = [:]
  /// How often what happened, so that nobody tests nothing.
  var counts: [String: Int] = [:]

  struct Running {
    let id: NotificationID
    let handler: NotificationHandler
  }

  init(_ mode: RegistrationMode, _ phase: AppPhase, _ settings: CenterSettings) {
    center = NotificationCenterState(
      settings, mode: mode, phase: phase,
      clock: DeviceClock(Phone.evening, at: Phone.start))
    feed(.categories([.groupWatchInvite(), Phone.chores]))
  }

  /// Feeds an input, and looks at what comes of it.
  mutating func feed(_ input: NotificationCenterState.Input) {
    while let due = center.nextDeadline, due <= time, input != .clockAdvanced {
      feed(.clockAdvanced)
    }
    let before = center
    let outputs = center.handle(input, at: time)
    expect(input, before)
    for output in outputs { read(output, input) }
    check(input)
    if !center.handle(.clockAdvanced, at: time).isEmpty {
      faults.append("something was left to do after \(input)")
    }
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(_ duration: Duration) {
    let end = time + duration
    while let due = center.nextDeadline, due <= end {
      time = max(time, due)
      feed(.clockAdvanced)
    }
    time = end
  }

  /// What an input is to lead to.
  private mutating func expect(
    _ input: NotificationCenterState.Input, _ before: NotificationCenterState
  ) {
    switch input {
    case .arrived(let remote): expect([remote])
    case .listed(_, let new): expect(new)
    case .heard(let id): putAway.remove(id)
    case .remove(let ids):
      let known = before.standingNotifications.filter(\.trigger.isRemote).map(\.id)
      putAway.formUnion(known.filter(ids.contains))
    case .tapped(let id): expect(id, ActionIdentifier.defaultAction, before)
    case .dismissed(let id): expect(id, ActionIdentifier.dismissAction, before)
    case .acted(let id, let action?, _): expect(id, action, before)
    case .locked(false):
      for id in waiting { expect(id, "PAY", before) }
      waiting = []
    case .unlockRefused(let id): waiting.remove(id)
    case .presented(_, let token), .completed(let token, _):
      let isChoice = if case .presented = input { true } else { false }
      if let call = running[token] ?? gone[token], (call.handler == .willPresent) == isChoice {
        (running[token], gone[token]) = (nil, nil)
      } else {
        extra += 1
      }
    case .userChanged:
      gone.merge(running) { call, _ in call }
      running = [:]
      (owed, unacknowledged, arrived, putAway, waiting) = ([:], [:], [], [], [])
    default: break
    }
  }

  private mutating func expect(_ new: [RemoteNotification]) {
    for remote in new where arrived.insert(remote.id).inserted && !putAway.contains(remote.id) {
      unacknowledged[remote.id, default: 0] += 1
    }
  }

  /// What a person's doing is to lead to, if the notification still stands.
  private mutating func expect(
    _ id: NotificationID, _ action: String, _ before: NotificationCenterState
  ) {
    guard let notification = before.standingNotifications.first(where: { $0.id == id }) else {
      return
    }
    let category = before.category(of: notification)
    let options = category?.action(action)?.options ?? []
    if center.isLocked, options.contains(.authenticationRequired) { return }
    let isRemote = notification.trigger.isRemote
    let isDismissal = action == ActionIdentifier.dismissAction
    let isAskedFor = category?.options.contains(.customDismissAction) ?? false
    let isHeard =
      before.mode == .center ? !isDismissal || isAskedFor : isRemote && !isDismissal
    if isRemote { putAway.insert(id) }
    if isHeard { owed[id, default: 0] += 1 }
    counts["response", default: 0] += 1
  }

  private mutating func read(
    _ output: NotificationCenterState.Output, _ input: NotificationCenterState.Input
  ) {
    switch output {
    case .show(let shown):
      waiting.subtract(shown.replaced)
      screen.removeAll { shown.replaced.contains($0) }
      if !shown.options.isDisjoint(with: [.list, .banner]) { screen.append(shown.notification.id) }
    case .remove(let ids):
      if !ids.allSatisfy(screen.contains) { faults.append("removes what does not stand: \(ids)") }
      screen.removeAll { ids.contains($0) }
      waiting.subtract(ids)
    case .unlock(let id):
      waiting.insert(id)
      counts["unlock", default: 0] += 1
    case .call(let call, let token): read(call, token, input)
    case .report(let id, .acknowledged(let result)) where result != .alreadyDelivered:
      unacknowledged[id, default: 0] -= 1
      counts["\(result)", default: 0] += 1
    case .warn(let warning, let id): read(warning, id)
    case .launch: counts["launch", default: 0] += 1
    case .refuse: counts["refuse", default: 0] += 1
    case .badge, .open, .report: break
    }
  }

  private mutating func read(
    _ call: NotificationCenterState.HandlerCall, _ token: CallToken,
    _ input: NotificationCenterState.Input
  ) {
    if running[token] != nil { faults.append("a token is given twice") }
    lastToken = token
    var isRemote = true
    let id: NotificationID
    switch call {
    case .willPresent(let notification), .reception(let notification, _): id = notification.id
    case .userAction(let response), .legacyAction(let response):
      id = response.notification.id
      isRemote = response.isRemote
    }
    running[token] = Running(id: id, handler: call.handler)
    // What arrives is the only other thing the reception handler hears of.
    switch input {
    case .arrived, .listed: return
    default: break
    }
    guard call.handler != .willPresent else { return }
    owed[id, default: 0] -= 1
    if isRemote { unacknowledged[id, default: 0] += 1 }
  }

  private mutating func read(
    _ warning: NotificationCenterState.Warning, _ id: NotificationID
  ) {
    switch warning {
    case .responseDropped:
      owed[id, default: 0] -= 1
      counts["dropped", default: 0] += 1
    case .unlockForgotten: waiting.remove(id)
    case .crowdedOut: counts["crowdedOut", default: 0] += 1
    case .tooManyCalls: counts["tooManyCalls", default: 0] += 1
    case .handlerSilent(let handler, let token):
      guard let call = running[token] ?? gone[token], call.id == id, call.handler == handler else {
        return faults.append("\(handler) was not called for \(id)")
      }
      (running[token], gone[token]) = (nil, nil)
      // The app's next call is made only after this one, so none before it may be open.
      let open = running.merging(gone) { call, _ in call }
      if open.contains(where: {
        $0.value.handler.queue == handler.queue && $0.key.number < token.number
      }) {
        faults.append("\(handler) is given up for \(id) before its turn")
      }
    default: break
    }
  }

  private mutating func check(_ input: NotificationCenterState.Input) {
    for (id, count) in owed where count < 0 { faults.append("\(id) is heard of twice") }
    for (id, count) in unacknowledged where count < 0 {
      faults.append("\(id) is acknowledged twice")
    }
    if screen != center.standingNotifications.map(\.id) {
      faults.append("the screen is not what stands after \(input)")
    }
    if center.extraCompletions != extra {
      faults.append("a word too much is not counted once after \(input)")
    }
  }

  /// Everybody answers or is given up; then nothing is owed to anybody.
  mutating func end() {
    feed(.locked(false))
    feed(.handlers([.reception, .willPresent, .userAction, .launch, .legacyAction]))
    feed(.unschedule(center.pendingRequests.map(\.id)))
    var minutes = 0
    while center.nextDeadline != nil, minutes < 1_000 {
      pass(.seconds(60))
      minutes += 1
    }
    if center.nextDeadline != nil { faults.append("the deadlines never end") }
    if center.keptResponses > 0 { faults.append("a response is kept for ever") }
    for (id, count) in owed where count != 0 { faults.append("nobody heard of \(id)") }
    for (id, count) in unacknowledged where count != 0 {
      faults.append("the server has no word of \(id)")
    }
  }

  /// The longest list in a centre, besides what it remembers of those that are gone.
  var longestList: Int {
    Mirror(reflecting: center).children.filter { $0.label != "seen" }
      .map { Mirror(reflecting: $0.value) }
      .filter { $0.displayStyle == .collection || $0.displayStyle == .dictionary }
      .map(\.children.count).max() ?? 0
  }
}

import Vocabulary

/// Calls of handlers that have not ended: each ends once, when the handler says so or runs out of
/// time.
///
/// The deadline runs only for the oldest call of each queue, because the driver makes the calls of
/// one queue one at a time. The next call's deadline starts when the oldest one ends, so that a
/// call has its full time even if it waited for slow ones.
struct HandlerCalls: Equatable, Sendable {
  /// How often a handler said a second time, or too late, that it was done.
  private(set) var extraCompletions = 0
  /// The oldest first.
  private var open: [Call] = []
  private var lastToken = 0

  /// A call whose handler has not said that it is done.
  struct Call: Equatable, Sendable {
    let token: CallToken
    let id: NotificationID
    let handler: NotificationHandler
    /// How long the handler may take.
    let patience: Duration
    /// When the handler runs out of time; `nil` while an older call of its queue is open.
    fileprivate(set) var due: HostTime?
    fileprivate(set) var purpose: Purpose
  }

  /// What the end of a call leads to.
  enum Purpose: Equatable, Sendable {
    /// A notification may be shown; `nil` if it was taken back meanwhile.
    case presentation(StandingNotification?, isRemote: Bool)
    case arrival
    case response(isRemote: Bool)
    /// The call was for a person who no longer uses the app.
    case nothing
  }

  var count: Int { open.count }

  var oldest: Call? { open.first }

  /// The call that runs out of time next, and when.
  var next: (time: HostTime, call: Call)? {
    open.compactMap { call in call.due.map { (time: $0, call: call) } }
      .min { $0.time < $1.time }
  }

  /// Notes a call, and names it.
  mutating func begin(
    _ handler: NotificationHandler, of id: NotificationID, for purpose: Purpose,
    within patience: Duration, at now: HostTime
  ) -> CallToken {
    lastToken += 1
    let token = CallToken(number: lastToken)
    let isWaiting = open.contains { $0.handler.queue == handler.queue }
    open.append(
      Call(
        token: token, id: id, handler: handler, patience: patience,
        due: isWaiting ? nil : now + patience, purpose: purpose))
    return token
  }

  /// Ends a call by its handler's word; `nil` if it ended before, or is another handler's.
  mutating func end(
    _ token: CallToken, at now: HostTime, where isMeant: (NotificationHandler) -> Bool
  ) -> Call? {
    guard let place = open.firstIndex(where: { $0.token == token && isMeant($0.handler) }) else {
      extraCompletions += 1
      return nil
    }
    return remove(at: place, now)
  }

  /// Ends a call whose handler stays silent.
  mutating func giveUp(_ call: Call, at now: HostTime) {
    guard let place = open.firstIndex(where: { $0.token == call.token }) else { return }
    _ = remove(at: place, now)
  }

  /// Removes a call, and starts the deadline of the next one in its queue.
  private mutating func remove(at place: Int, _ now: HostTime) -> Call {
    let call = open.remove(at: place)
    let oldest = open.firstIndex { $0.handler.queue == call.handler.queue }
    // The deadline counts from now, even if this call's deadline was met late: the driver makes the
    // next call only when it hears that this one ended.
    if let oldest, open[oldest].due == nil { open[oldest].due = now + open[oldest].patience }
    return call
  }

  /// Notifications that these calls ask about are not shown, whatever the handlers answer.
  ///
  /// - Returns: those notifications.
  @discardableResult
  mutating func withdrawPresentations(
    where isGone: (StandingNotification) -> Bool
  ) -> [StandingNotification] {
    var withdrawn: [StandingNotification] = []
    for place in open.indices {
      if case .presentation(let candidate?, let isRemote) = open[place].purpose, isGone(candidate) {
        open[place].purpose = .presentation(nil, isRemote: isRemote)
        withdrawn.append(candidate)
      }
    }
    return withdrawn
  }

  /// Handlers at work still say that they are done, but nothing follows from it.
  mutating func forgetPurposes() {
    for place in open.indices { open[place].purpose = .nothing }
  }
}

/// A queue of handler calls: the driver makes its calls one at a time, in order.
package enum HandlerQueue: Hashable, Sendable {
  case presentation
  case reception
  case response
}

extension NotificationHandler {
  /// The queue of the handler's calls; `nil` for launch, which does not say when it is done.
  package var queue: HandlerQueue? {
    switch self {
    case .willPresent: .presentation
    case .reception: .reception
    case .userAction, .legacyAction: .response
    case .launch: nil
    }
  }
}

extension NotificationCenterState.HandlerCall {
  /// Which handler is called.
  package var handler: NotificationHandler {
    switch self {
    case .willPresent: .willPresent
    case .reception: .reception
    case .userAction: .userAction
    case .legacyAction: .legacyAction
    }
  }
}

import Vocabulary

/// Calls of handlers that have not ended: each ends once, when the handler says so or runs out of
/// time.
struct HandlerCalls: Equatable, Sendable {
  /// How often a handler said a second time, or too late, that it was done.
  private(set) var extraCompletions = 0
  /// The oldest first.
  private var open: [Call] = []
  private var lastToken = 0

  /// A call whose handler has not said that it is done.
  struct Call: Equatable, Sendable {
    let token: CallToken
    let due: HostTime
    let id: NotificationID
    let handler: NotificationHandler
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

  /// The call that runs out of time next.
  var next: Call? { open.min { $0.due < $1.due } }

  /// Notes a call, and names it.
  mutating func begin(
    _ handler: NotificationHandler, of id: NotificationID, for purpose: Purpose, due: HostTime
  ) -> CallToken {
    lastToken += 1
    let token = CallToken(number: lastToken)
    open.append(Call(token: token, due: due, id: id, handler: handler, purpose: purpose))
    return token
  }

  /// Ends a call by its handler's word; `nil` if it ended before, or is another handler's.
  mutating func end(_ token: CallToken, where isMeant: (NotificationHandler) -> Bool) -> Call? {
    guard let place = open.firstIndex(where: { $0.token == token && isMeant($0.handler) }) else {
      extraCompletions += 1
      return nil
    }
    return open.remove(at: place)
  }

  /// Ends a call whose handler stays silent.
  mutating func giveUp(_ call: Call) {
    open.removeAll { $0.token == call.token }
  }

  /// Notifications that these calls ask about are not shown, whatever the handlers answer.
  mutating func withdrawPresentations(where isGone: (StandingNotification) -> Bool) {
    for place in open.indices {
      if case .presentation(let candidate?, let isRemote) = open[place].purpose, isGone(candidate) {
        open[place].purpose = .presentation(nil, isRemote: isRemote)
      }
    }
  }

  /// Handlers at work still say that they are done, but nothing follows from it.
  mutating func forgetPurposes() {
    for place in open.indices { open[place].purpose = .nothing }
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

import Vocabulary

/// How the message on screen is dismissed, and what becomes of its delivery and its session.
struct Dismissal: Equatable, Sendable {
  /// What becomes of the delivery.
  enum End: Equatable, Sendable {
    case finished
    /// It was never on screen.
    case refused(InAppMessage.Refusal)
    /// It waits for another time.
    case waits
  }

  /// Why it is dismissed; `nil` until it is.
  private(set) var reason: InAppMessage.DismissReason?
  private(set) var end = End.finished
  /// When its view must be gone.
  private(set) var due: HostTime?
  /// Whether its view is gone, and the device as it was before.
  private(set) var isOver = false
  /// Whether the view went by itself.
  private(set) var isViewGone = false
  /// Why it is dismissed as soon as it is on screen.
  private var waiting: InAppMessage.DismissReason?
  /// Whether the session is left with the message for any reason.
  private var mustLeaveSession = false
  /// Whether the session stays although the person dismissed the message, because the click was for
  /// the session.
  private var keepsSession = false

  /// Whether the session is left with the message.
  func leavesSession(_ settings: PresenterSettings) -> Bool {
    switch reason {
    case .userChanged, .dataWiped: true
    case _ where !settings.leavesWithMessage: false
    case let reason? where reason.isByPerson: !keepsSession || mustLeaveSession
    default: mustLeaveSession && end == .finished
    }
  }

  /// Dismisses the message as soon as it is on screen; the first reason counts unless it is
  /// replaced.
  mutating func wait(_ reason: InAppMessage.DismissReason, replacing: Bool = false) {
    if replacing || waiting == nil { waiting = reason }
  }

  mutating func takeWaiting() -> InAppMessage.DismissReason? {
    defer { waiting = nil }
    return waiting
  }

  mutating func begin(_ reason: InAppMessage.DismissReason, end: End, due: HostTime) {
    (self.reason, self.end, self.due) = (reason, end, due)
  }

  /// The delivery is finished, instead of any other end.
  mutating func finish() { end = .finished }

  mutating func complete() { isOver = true }

  /// - Parameter leavesSession: whether the session is left with its view.
  mutating func viewIsGone(leavesSession: Bool) {
    isViewGone = true
    if leavesSession { mustLeaveSession = true }
  }

  mutating func leaveSession() { mustLeaveSession = true }

  mutating func keepSession() { keepsSession = true }
}

extension Presentation {
  /// What to do when its time has come.
  enum Due: Equatable {
    case assets
    /// The message did not get on screen.
    case presenting
    case impression
    case automaticClose
    /// The app had no answer about a click.
    case click(Int)
    /// The view did not go.
    case dismissing
  }
}

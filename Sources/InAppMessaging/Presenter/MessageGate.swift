import Vocabulary

/// Decides whether a message may be shown now: by the user, the app's settings, and what has the
/// screen.
struct MessageGate: Equatable, Sendable {
  /// Who uses the app.
  private(set) var user: UserID?
  /// How messages are treated while the app wants none.
  private(set) var suppression = MessageSuppression.none
  /// Which of the app's own pop-ups has the screen.
  private(set) var lease: LeaseTag?

  init(user: UserID?) { self.user = user }

  /// What a message meets.
  enum Verdict: Equatable {
    case open
    case refused(InAppMessage.Refusal)
    case waits(WaitingMessages.Place)
  }

  /// What has the screen when a message is tested.
  struct Situation {
    /// Whether the message has the screen, and is tested again after waiting for something.
    var hasScreen = false
    /// Whether another message has the screen.
    let isTaken: Bool
    /// Whether a click on that message closes it.
    let isClickedAway: Bool
  }

  /// - Returns: whether it is another user.
  mutating func change(user: UserID?) -> Bool {
    defer { self.user = user }
    return user != self.user
  }

  /// - Returns: whether messages may come that could not before.
  mutating func suppress(_ suppression: MessageSuppression) -> Bool {
    defer { self.suppression = suppression }
    return suppression == .none && self.suppression != .none
  }

  /// - Returns: whether the pop-up has the screen.
  mutating func acquire(_ tag: LeaseTag, isScreenTaken: Bool) -> Bool {
    let isFree = !isScreenTaken && (lease == nil || lease == tag)
    if isFree { lease = tag }
    return isFree
  }

  /// - Returns: whether the pop-up had the screen.
  mutating func release(_ tag: LeaseTag) -> Bool {
    guard lease == tag else { return false }
    lease = nil
    return true
  }

  /// Whether a message is for the user, or for anybody.
  func isForUser(_ message: InAppMessage) -> Bool {
    message.campaign.map { $0.user == user } ?? true
  }

  /// Tests a message in the order of the rules; the first that applies decides.
  ///
  /// - Parameter asksEnough: whether the app is asked about as many messages as it may be.
  func verdict(
    on delivery: OfferedMessage, _ session: CurrentSession, in situation: Situation,
    asksEnough: Bool, _ around: PresenterSurroundings
  ) -> Verdict {
    let message = delivery.message
    guard isForUser(message) else { return .refused(.userMismatch) }
    if let expires = delivery.expires, expires < around.now { return .refused(.expired) }
    if let bound = message.session, session.isOver(bound) { return .refused(.sessionEnded) }
    let place = message.session == nil ? WaitingMessages.Place.stack : .deferral
    switch suppression {
    case .none: break
    case .discard: return .refused(.suppressed)
    case .queue: return .waits(place)
    }
    guard around.platform.hasDisplay else { return .waits(.held) }
    guard !message.isControl else { return .open }
    guard around.platform.kinds.contains(message.kind) else { return .refused(.noDisplay) }
    if !situation.hasScreen, situation.isTaken || lease != nil {
      let isAfterClick = situation.isClickedAway && [.trigger, .local].contains(delivery.origin)
      return .waits(place == .stack && isAfterClick ? .followUp : place)
    }
    if isQuiet(for: message, around) { return .waits(place) }
    if !situation.hasScreen, asksEnough { return .waits(place) }
    return .open
  }

  /// Whether the user is not to be disturbed: on a quiet screen by no message, while writing by none
  /// that would take the keyboard.
  private func isQuiet(for message: InAppMessage, _ around: PresenterSurroundings) -> Bool {
    let platform = around.platform
    if let screen = platform.screen, around.settings.quietScreens.contains(screen) { return true }
    return platform.isTextInputFocused && !message.isPage
  }
}

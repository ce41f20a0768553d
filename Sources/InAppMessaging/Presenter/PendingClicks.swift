import Vocabulary

/// A click in a view.
struct ViewClick: Equatable, Sendable {
  /// The button's id; `nil` is the body.
  let button: String?
  /// The action that a page of HTML or a custom view chooses; otherwise the message's own.
  let action: InAppMessage.ClickAction?
  /// Whether the message stays: a page of HTML opens another beside it.
  let isTransient: Bool
  /// Whether a control of the view was touched, a switch or a link, which keeps the touch.
  let isOnControl: Bool

  init(
    _ button: String?, _ action: InAppMessage.ClickAction? = nil, isTransient: Bool = false,
    isOnControl: Bool = false
  ) {
    self.button = button
    self.action = action
    self.isTransient = isTransient
    self.isOnControl = isOnControl
  }
}

/// The clicks on the message on screen whose actions the app has yet to decide on.
struct PendingClicks: Equatable, Sendable {
  /// The click that closes the message; kept until the message is gone.
  private var closing: Click?
  /// Clicks after which the message stays, the oldest first.
  private var transient: [Click] = []

  /// A click and what it does.
  struct Click: Equatable, Sendable {
    let number: Int
    let button: String?
    let action: InAppMessage.ClickAction
    let isTransient: Bool
    /// When the action is taken without the app's answer; `nil` once it answered.
    fileprivate(set) var due: HostTime?
  }

  /// Whether a click closes the message.
  var isClosing: Bool { closing != nil }

  /// How many clicks wait after which the message stays.
  var transientCount: Int { transient.count }

  /// Reports a click, and asks the app about its action.
  mutating func ask(
    _ click: ViewClick, _ action: InAppMessage.ClickAction, isTransient: Bool,
    in message: InAppMessage, _ token: PresentationToken, _ around: inout PresenterSurroundings
  ) {
    around.report(.clicked(button: click.button), of: message)
    let number = around.nextClick()
    let pending = Click(
      number: number, button: click.button, action: action, isTransient: isTransient,
      due: around.now + around.settings.patience.processing)
    if isTransient { transient.append(pending) } else { closing = pending }
    let button = click.button.flatMap { message.button($0) }
    around.emit(
      .ask(
        .shouldProcess(action, button, buttonID: click.button, message, click: number), token))
  }

  /// Takes the app's answer; `nil` if no click of that number waits.
  mutating func answer(_ number: Int) -> Click? {
    if let place = transient.firstIndex(where: { $0.number == number }) {
      return transient.remove(at: place)
    }
    guard let click = closing, click.number == number else { return nil }
    closing?.due = nil
    return click
  }

  /// The message is dismissed: only a click that closed it is kept.
  mutating func end(closedBy reason: InAppMessage.DismissReason) {
    transient = []
    if case .action = reason { return }
    closing = nil
  }

  /// When each is decided without the app.
  var dues: [(time: HostTime, number: Int)] {
    (transient + [closing].compactMap(\.self)).compactMap { click in
      click.due.map { ($0, click.number) }
    }
  }
}

// MARK: What a click does

extension InAppMessage {
  /// What a click means.
  enum ClickMeaning {
    case nothing
    case unknownButton(String)
    case action(ClickAction)
  }

  /// What a click in the message's view means.
  ///
  /// - Parameter isOwnView: whether the view is not the default one: as in a page, there are things to
  ///   click in it that the message does not know.
  func meaning(of click: ViewClick, isOwnView: Bool) -> ClickMeaning {
    let own = isPage || isOwnView ? click.action : nil
    if let id = click.button {
      let button = button(id)
      guard button != nil || own != nil || isPage else { return .unknownButton(id) }
      return .action(own ?? button?.clickAction ?? .close)
    }
    guard !click.isOnControl || own != nil else { return .nothing }
    let isFree = isPage || surface.isEdge
    guard isFree || buttons.isEmpty || own != nil else { return .nothing }
    let action = own ?? clickAction
    // A view of the app's own, such as a player, knows itself what a tap means.
    guard isFree || !isOwnView || action != nil else { return .nothing }
    return .action(action ?? .close)
  }

  /// The action of a click that is reported by an app that draws messages itself.
  func action(ofReported button: String?) -> ClickAction {
    guard let button else { return clickAction ?? .close }
    return self.button(button)?.clickAction ?? .close
  }

  /// Whether the message stays after a click: a page may open another beside it.
  ///
  /// A deep link into the app always closes the message.
  func stays(after click: ViewClick, _ action: ClickAction) -> Bool {
    isPage && click.isTransient && !action.leaves.contains { $0.isDeepLink }
  }

  /// Why a person's gesture closes the message; `nil` if its author does not allow it.
  ///
  /// Escape always closes it.
  func reason(for gesture: MessageCloseGesture) -> DismissReason? {
    switch gesture {
    case .button: closing.byButton || isPage ? .closeButton : nil
    case .tapOutside: closing.byTapOutside ? .tapOutside : nil
    case .escape: .escape
    case .swipe(let isFromControl): closing.bySwipe && !isFromControl ? .swipe : nil
    }
  }

  /// Whether it is a page of HTML.
  var isPage: Bool { if case .html = body { true } else { false } }
}

extension InAppMessage.ClickAction {
  /// The actions of a sequence, in order; any other action is itself.
  package var leaves: [InAppMessage.ClickAction] {
    if case .sequence(let actions) = self { actions.flatMap(\.leaves) } else { [self] }
  }

  fileprivate var isDeepLink: Bool {
    if case .deepLink = self { true } else { false }
  }
}

extension InAppMessage.Surface {
  var isEdge: Bool {
    if case .edge = self { true } else { false }
  }
}

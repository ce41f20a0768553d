import InAppMessaging

/// A message on a terminal: what is drawn, what has the focus, and what a key does.
///
/// A pure value, so that every key can be tried without a terminal.
struct MessageScreen: Equatable {
  /// What comes of a key.
  enum Reaction: Equatable {
    /// It looks otherwise now.
    case redraw
    case tell(MessagePresenter.ViewEvent)
  }

  private let shown: MessagePresenter.ShownMessage
  private let canShare: Bool
  private var picker: PickerView?
  private var switches: SwitchListView?
  /// The button that return presses.
  private var focus: Int
  private let size: TerminalSize
  /// The first line of a long message that is in sight.
  private var top = 0

  /// - Parameters:
  ///   - shown: what is to be shown.
  ///   - canShare: whether what is watched alone could be shared with the group.
  ///   - size: where it is shown.
  init(
    _ shown: MessagePresenter.ShownMessage, canShare: Bool, size: TerminalSize = .smallest
  ) {
    self.shown = shown
    self.canShare = canShare
    self.size = size
    focus = 0
    let message = shown.context.message
    switch ShippedView(rawValue: shown.view) {
    case .picker: picker = PickerView(message)
    case .tableList: switches = SwitchListView(message)
    case .video, .permission, nil: break
    }
    focus = max(0, buttons.count - 1)
  }

  var message: InAppMessage { shown.context.message }

  /// The same with other contents: what was chosen stays where it still can be.
  func showing(_ shown: MessagePresenter.ShownMessage, canShare: Bool) -> MessageScreen {
    var screen = MessageScreen(shown, canShare: canShare, size: size)
    screen.top = top
    if screen.picker?.items == picker?.items { screen.picker = picker }
    if screen.switches?.items == switches?.items { screen.switches = switches }
    screen.focus = min(focus, max(0, screen.buttons.count - 1))
    return screen
  }

  /// The same where sharing has become possible, or is no longer.
  func sharing(_ canShare: Bool) -> MessageScreen { showing(shown, canShare: canShare) }

  /// Whether a button of it starts the watching for everyone.
  var hasShareButton: Bool {
    message.buttons.contains { $0.clickAction.leaves.contains(.session(.startForAll)) }
  }

  /// Whether a video plays in it, beside which people type their verbs.
  var isPlayer: Bool { shown.view == ShippedView.video.rawValue }

  /// The buttons that can be used now: one that shares only while that is possible.
  private var buttons: [InAppMessage.Button] {
    message.buttons.prefix(2).filter {
      canShare || !$0.clickAction.leaves.contains(.session(.startForAll))
    }
  }

  // MARK: Keys

  mutating func press(_ key: MessageKey) -> Reaction? {
    switch key {
    case .escape: return .tell(.closed(.escape))
    case .tab:
      guard buttons.count > 1 else { return nil }
      focus = (focus + 1) % buttons.count
      return .redraw
    case .enter: return click(focus)
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    case .number(let number): return choose(number)
    }
  }

  private mutating func move(by step: Int) -> Reaction? {
    guard let picker else { return scroll(by: step) }
    return choose(min(max(picker.row + step, 1), picker.items.count))
  }

  /// A page up or down, with a line of the one before.
  private mutating func scroll(by step: Int) -> Reaction? {
    guard let page = panel.page else { return nil }
    let before = top
    top = max(0, top + step * max(1, page - 1))
    top = panel.top
    return top == before ? nil : .redraw
  }

  /// The number of a row where there are rows, else of a button.
  private mutating func choose(_ number: Int) -> Reaction? {
    if let picker {
      guard number <= picker.items.count else { return nil }
      self.picker?.select(number)
      return .redraw
    }
    if let switches {
      guard number <= switches.items.count else { return nil }
      self.switches?.toggle(number - 1)
      return .redraw
    }
    return click(number - 1)
  }

  private func click(_ place: Int) -> Reaction? {
    guard !buttons.isEmpty else {
      return message.clickAction == nil ? nil : .tell(.clicked(.init()))
    }
    guard buttons.indices.contains(place) else { return nil }
    let button = buttons[place]
    // The primary button submits what was chosen, once there is something to submit.
    guard picker != nil || switches != nil, place == buttons.count - 1 else {
      return .tell(.clicked(.init(button.id)))
    }
    guard let submission = picker?.submission ?? switches?.submission else { return nil }
    return .tell(.clicked(.init(button.id, action: submission)))
  }

  // MARK: Drawing

  /// The message, and beneath it what can be done with it.
  var lines: [StyledLine] { panel.lines + [StyledLine(hint, .dim)] }

  private var panel: MessagePanel {
    var message = message
    message.buttons = buttons
    // The hint is one more line.
    return MessagePanel(
      message, view: view, width: size.columns, rows: size.rows - 1, from: top)
  }

  private var view: MessageView? {
    if let picker {
      return .picker(picker.items, chosen: picker.row == 0 ? nil : picker.row - 1)
    }
    if let switches {
      return .switches(
        switches.items.enumerated().map { .init(text: $1, isOn: switches.isOn($0)) })
    }
    return nil
  }

  private var hint: String {
    var parts: [String] = []
    if picker != nil { parts.append("a number or up and down choose") }
    if switches != nil { parts.append("a number turns a switch") }
    if picker == nil, panel.page != nil { parts.append("up and down scroll") }
    let texts = buttons.map { $0.text.withoutControls }
    if !texts.isEmpty, picker != nil || switches != nil || texts.count > 1 {
      parts.append("return: \(texts[focus])" + (texts.count > 1 ? ", tab: the other one" : ""))
    } else if let only = texts.first {
      parts.append("return: \(only)")
    } else if message.clickAction != nil {
      parts.append("return: open")
    }
    if picker == nil, switches == nil, texts.count > 1 {
      parts.append(texts.enumerated().map { "\($0 + 1): \($1)" }.joined(separator: ", "))
    }
    return (parts + ["esc closes"]).joined(separator: "; ")
  }
}

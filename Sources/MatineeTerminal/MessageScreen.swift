package import InAppMessaging

/// A message on a terminal: what it draws, what has the focus, and what a key does.
///
/// It is a pure value, so that tests can try every key without a terminal.
package struct MessageScreen: Equatable {
  /// The effect of a key.
  package enum Reaction: Equatable {
    /// The message must be drawn again.
    case redraw
    case tell(MessageViewEvent)
  }

  private let shown: ShownMessage
  private var picker: PickerView?
  private var switches: SwitchListView?
  /// The index of the button that Return presses.
  private var focus: Int
  private let size: TerminalSize
  /// The index of the first visible line of a long message.
  private var top = 0

  /// - Parameters:
  ///   - shown: the message to show.
  ///   - size: the terminal's size.
  package init(_ shown: ShownMessage, size: TerminalSize = .smallest) {
    self.shown = shown
    self.size = size
    focus = 0
    let message = shown.message
    switch ShippedView(rawValue: shown.viewType) {
    case .picker: picker = PickerView(message)
    case .tableList: switches = SwitchListView(message)
    case .video, .permission, nil: break
    }
    focus = max(0, buttons.count - 1)
  }

  package var message: InAppMessage { shown.message }

  /// The same screen with other contents; selections are kept where they still apply.
  package func showing(_ shown: ShownMessage) -> MessageScreen {
    var screen = MessageScreen(shown, size: size)
    screen.top = top
    if screen.picker?.items == picker?.items { screen.picker = picker }
    if screen.switches?.items == switches?.items { screen.switches = switches }
    screen.focus = min(focus, max(0, screen.buttons.count - 1))
    return screen
  }

  /// Whether it plays a video; people type verbs meanwhile.
  package var isPlayer: Bool { shown.viewType == ShippedView.video.rawValue }

  /// The buttons that can be used now; there is room for two.
  private var buttons: [InAppMessage.Button] { Array(shown.buttons.prefix(2)) }

  // MARK: Keys

  package mutating func press(_ key: MessageKey) -> Reaction? {
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

  /// Scrolls by a page; one line of the previous page stays visible.
  private mutating func scroll(by step: Int) -> Reaction? {
    guard let page = panel.page else { return nil }
    let before = top
    top = max(0, top + step * max(1, page - 1))
    top = panel.top
    return top == before ? nil : .redraw
  }

  /// Selects a row by its number or, in a message without rows, a button.
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
    return buttons.isEmpty ? nil : click(number - 1)
  }

  private func click(_ place: Int) -> Reaction? {
    guard !buttons.isEmpty else {
      return hasLiveBody ? .tell(.clicked(button: nil)) : nil
    }
    guard buttons.indices.contains(place) else { return nil }
    let button = buttons[place]
    // The primary button submits the selection, once there is something to submit.
    guard picker != nil || switches != nil, place == buttons.count - 1 else {
      return .tell(.clicked(button: button.id))
    }
    guard let submission = picker?.submission ?? switches?.submission else { return nil }
    return .tell(.clicked(button: button.id, action: submission))
  }

  // MARK: Drawing

  /// The message and, below it, the hint about keys; a message at an edge has its distance to it.
  package var lines: [StyledLine] {
    let margin = Array(repeating: StyledLine(""), count: edgeRows)
    let isAtTop = message.surface == .edge(.top)
    let isAtBottom = message.surface == .edge(.bottom)
    return (isAtTop ? margin : []) + panel.lines + (isAtBottom ? margin : [])
      + [StyledLine(hint, .dim)]
  }

  /// The distance from the edge in rows: a row is as high as twenty points of text.
  private var edgeRows: Int {
    let rows = (shown.distance(fromEdge: 0) / Self.pointsOfRow).rounded()
    return Int(min(max(rows, 0), Double(size.rows / 2)))
  }

  private static let pointsOfRow = 20.0

  private var panel: MessagePanel {
    var message = message
    message.buttons = buttons
    // One row is left for the hint.
    return MessagePanel(
      message, view: view, width: size.columns, rows: size.rows - 1, from: top)
  }

  private var view: DrawnView? {
    if let picker {
      return .picker(picker.items, chosen: picker.row == 0 ? nil : picker.row - 1)
    }
    if let switches {
      return .switches(
        switches.items.enumerated().map { .init(text: $1, isOn: switches.isOn($0)) })
    }
    return nil
  }

  /// Whether a click on the message itself does something: without an action it closes the message,
  /// but a custom view knows for itself what it means.
  private var hasLiveBody: Bool {
    message.clickAction != nil || shown.viewType == ViewRegistry.defaultView
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
    let isClosedByReturn = texts.isEmpty && message.clickAction == nil && hasLiveBody
    return (parts + [isClosedByReturn ? "return or esc closes" : "esc closes"])
      .joined(separator: "; ")
  }
}

/// A key that controls an in-app message on a terminal.
///
/// Keys are typed like verbs: the number or the name, then Return.
public enum MessageKey: Hashable, Sendable {
  /// Presses the button, or chooses the row, in this place from 1.
  case number(Int)
  /// Moves the focus to the other button.
  case tab
  /// Presses the button with the focus.
  case enter
  /// Chooses the row before, or scrolls.
  case up
  /// Chooses the next row, or scrolls.
  case down
  /// Closes the message.
  case escape

  /// The key that a line names; `nil` if it names none.
  public init?(line: String) {
    switch line {
    case "": self = .enter
    case "tab", "\t": self = .tab
    case "up", "\u{1B}[A": self = .up
    case "down", "\u{1B}[B": self = .down
    case "esc", "\u{1B}": self = .escape
    default:
      guard line.count <= 2, let number = Int(line), number > 0 else { return nil }
      self = .number(number)
    }
  }
}

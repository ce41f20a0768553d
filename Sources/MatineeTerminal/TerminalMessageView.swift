import EventLoops
public import InAppMessaging
public import MatineeClient

/// The size of a terminal, in characters.
public struct TerminalSize: Hashable, Sendable {
  /// The characters of a line.
  public var columns: Int
  /// The lines.
  public var rows: Int

  /// Makes a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// A size that fits most terminals, which have at least 80 columns and 24 rows; some rows are for
  /// typing.
  public static let smallest = TerminalSize(columns: 72, rows: 20)

  /// The part of a terminal for messages; the rest of its rows is for typing.
  ///
  /// - Parameter terminal: the terminal's size; a pseudo-terminal whose size nobody has set has no
  ///   columns.
  package init(forMessagesOn terminal: TerminalSize?) {
    guard let terminal, terminal.columns > 0, terminal.rows > 0 else {
      self = .smallest
      return
    }
    self.init(columns: terminal.columns, rows: max(1, terminal.rows - Self.typingRows))
  }

  /// The rows for a hint, a prompt and some lines of what happens.
  private static let typingRows = 4
}

/// Draws in-app messages of all kinds on a terminal: the ready-made view for programs without
/// windows.
///
/// Make it an app's default view, and pass it the keys that the person presses while
/// ``isShowing``. It also draws the views `video`, `picker`, `table_list` and `permission`; a page of
/// HTML is shown as its text. Nothing in a message can move the cursor or colour the screen.
public final class TerminalMessageView: MessageView {
  private struct Shown: Sendable {
    var screen: MessageScreen
    let presentation: MessagePresentation
  }

  private let shown = Locked<Shown?>(nil)
  private let size: @Sendable () -> TerminalSize
  private let draw: @Sendable ([StyledLine]) -> Void

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - size: the terminal's size.
  ///   - hasColor: whether lines have bold, dim and coloured parts (ECMA-48).
  ///   - write: prints a line; it is called on any thread, for the lines of one message in order.
  public convenience init(
    size: TerminalSize = .smallest, hasColor: Bool = false,
    write: @escaping @Sendable (String) -> Void
  ) {
    let styling = TextStyling(hasColor: hasColor)
    self.init(size: { size }) { lines in
      for line in lines { write(line.styled(styling)) }
    }
  }

  /// Makes a view whose lines the caller styles.
  ///
  /// - Parameters:
  ///   - size: the terminal's size when a message comes.
  ///   - draw: prints the lines.
  package init(
    size: @escaping @Sendable () -> TerminalSize, draw: @escaping @Sendable ([StyledLine]) -> Void
  ) {
    self.size = size
    self.draw = draw
  }

  /// Whether a message is on screen, which takes keys.
  public var isShowing: Bool { shown.withLock { $0 != nil } }

  /// Whether the message on screen plays a video, while which a person types verbs.
  package var isPlayer: Bool { shown.withLock { $0?.screen.isPlayer == true } }

  /// Presses a key.
  ///
  /// - Returns: whether it did anything; `false` if no message is on screen.
  @discardableResult
  public func press(_ key: MessageKey) -> Bool {
    let result = shown.withLock { shown -> (MessageScreen.Reaction, Shown)? in
      guard let reaction = shown?.screen.press(key), let now = shown else { return nil }
      return (reaction, now)
    }
    guard let (reaction, now) = result else { return false }
    switch reaction {
    case .redraw: draw(now.screen.lines)
    case .tell(let event): now.presentation.report(event)
    }
    return true
  }

  /// Reports an event about the message on screen; returns `false` if there is none.
  package func report(_ event: MessageViewEvent) -> Bool {
    guard let presentation = shown.withLock({ $0?.presentation }) else { return false }
    presentation.report(event)
    return true
  }

  /// Draws one message, as every view does.
  public func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands { carryOut(command, of: presentation) }
    clear(presentation.id)
  }

  package func carryOut(_ command: MessageViewCommand, of presentation: MessagePresentation) {
    switch command {
    case .show(let message):
      let screen = MessageScreen(message, size: size())
      shown.withLock { $0 = Shown(screen: screen, presentation: presentation) }
      // Before the lines are there, so that no key can be pressed earlier; printing takes no time.
      presentation.report(.presented)
      draw(screen.lines)
    case .update(let message):
      let next = shown.withLock { shown -> MessageScreen? in
        guard let screen = shown?.screen.showing(message) else { return nil }
        shown?.screen = screen
        return screen
      }
      if let next { draw(next.lines) }
    case .pause: break
    case .dismiss:
      clear(presentation.id)
      presentation.report(.dismissed)
    }
  }

  /// Forgets the message, unless another one is on screen already.
  package func clear(_ id: MessageID) {
    shown.withLock { if $0?.presentation.id == id { $0 = nil } }
  }

  /// Returns a message's lines as the view draws them, for a preview.
  ///
  /// - Parameters:
  ///   - message: the message, with its templates filled in.
  ///   - width: the number of columns, at least 20.
  public static func preview(_ message: InAppMessage, width: Int = TerminalSize.smallest.columns)
    -> [String]
  {
    MessagePanel(message, width: width).text(.plain)
  }
}

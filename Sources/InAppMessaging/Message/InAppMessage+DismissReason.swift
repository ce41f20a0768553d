extension InAppMessage {
  /// Why a message that was shown went away.
  public enum DismissReason: Hashable, Sendable {
    // By the person.
    case closeButton
    case swipe
    case tapOutside
    case escape
    /// A click, on that button or on the body.
    case action(button: String?)
    // Not by the person.
    /// Its time was up.
    case automatic
    case programmatic
    /// It stood in the way of writing.
    case textInput
    case userChanged
    case dataWiped
    case sessionEnded
    /// Another took its place.
    case replaced
    case pageClosed
    /// It could not be shown to its end.
    case failed

    /// Whether the person meant it: what counts for a session.
    public var isByPerson: Bool {
      switch self {
      case .closeButton, .swipe, .tapOutside, .escape, .action: true
      case .automatic, .programmatic, .textInput, .userChanged, .dataWiped, .sessionEnded,
        .replaced, .pageClosed, .failed:
        false
      }
    }
  }
}

extension InAppMessage.DismissReason {
  /// A reason in a word.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case closeButton
    case swipe
    case tapOutside
    case escape
    case action
    case automatic
    case programmatic
    case textInput
    case userChanged
    case dataWiped
    case sessionEnded
    case replaced
    case pageClosed
    case failed
  }

  /// How it is called.
  package var name: Name {
    switch self {
    case .closeButton: .closeButton
    case .swipe: .swipe
    case .tapOutside: .tapOutside
    case .escape: .escape
    case .action: .action
    case .automatic: .automatic
    case .programmatic: .programmatic
    case .textInput: .textInput
    case .userChanged: .userChanged
    case .dataWiped: .dataWiped
    case .sessionEnded: .sessionEnded
    case .replaced: .replaced
    case .pageClosed: .pageClosed
    case .failed: .failed
    }
  }

  /// The reason that is called so.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - button: of ``action(button:)`` only: which one was clicked.
  package init(_ name: Name, button: String? = nil) {
    self =
      switch name {
      case .closeButton: .closeButton
      case .swipe: .swipe
      case .tapOutside: .tapOutside
      case .escape: .escape
      case .action: .action(button: button)
      case .automatic: .automatic
      case .programmatic: .programmatic
      case .textInput: .textInput
      case .userChanged: .userChanged
      case .dataWiped: .dataWiped
      case .sessionEnded: .sessionEnded
      case .replaced: .replaced
      case .pageClosed: .pageClosed
      case .failed: .failed
      }
  }
}

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

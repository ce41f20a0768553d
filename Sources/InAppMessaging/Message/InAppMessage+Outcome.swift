extension InAppMessage {
  /// How a delivery ended; each ends once.
  public enum Outcome: Hashable, Sendable {
    /// It was shown, and went away for that reason.
    case presented(dismissedBy: DismissReason)
    /// It was a control: it counts, and is shown to nobody.
    case control
    /// It was never shown.
    case refused(Refusal)
  }

  /// Why a message was not shown.
  public enum Refusal: String, Hashable, Sendable, CaseIterable {
    // By the server, at the event.
    /// The person's data is not collected, or their messages are paused.
    case collectionOff
    /// The event did not pass all filters of the campaign's trigger.
    case noMatch
    /// The campaign is not live.
    case notLive
    /// It is not for this person or device, or asks for a permission that is given.
    case audience
    /// The person has seen it.
    case frequency
    /// The person has seen it as often as one of its caps allows.
    case cap
    /// Too soon after another message.
    case interval
    /// A delivery of this campaign is under way.
    case reserved
    /// Another campaign took precedence.
    case outranked
    /// No device of the person could show it in time.
    case noClient
    // By the server, or where it was to be shown.
    /// Its time was over.
    case expired
    /// The campaign stopped.
    case stopped
    /// A template lacked a value.
    case aborted
    /// What it shows is not in order.
    case invalidContent
    // Where it was to be shown.
    /// The app wants no messages now.
    case suppressed
    /// There is nothing to show it on, or no view for it.
    case noDisplay
    /// An image or a video could not be loaded.
    case assets
    /// The device is held otherwise.
    case orientation
    /// The device is another person's.
    case userMismatch
    /// The app chose to discard it.
    case choice
    /// Too many others waited on the stack.
    case overflow
    /// A newer delivery replaced it, or the message on screen was updated with it.
    case replaced
    /// Its session ended, or the person left it.
    case sessionEnded
    /// The view did not report in time.
    case watchdog
  }
}

extension InAppMessage {
  /// Why a message that was shown went away.
  public enum DismissReason: Hashable, Sendable {
    // By the person.
    /// The close button.
    case closeButton
    /// A swipe.
    case swipe
    /// A tap outside of it.
    case tapOutside
    /// The escape key, or what goes back on the device.
    case escape
    /// A click, on that button or on the body.
    case action(button: String?)
    // Not by the person.
    /// Its time was up.
    case automatic
    /// The app dismissed it, or the server revoked it.
    case programmatic
    /// The person began to write.
    case textInput
    /// The app has another user now.
    case userChanged
    /// The person's data was wiped.
    case dataWiped
    /// Its session ended, or the person left it.
    case sessionEnded
    /// Another took its place.
    case replaced
    /// The page or the program closed, or the device stayed away.
    case pageClosed
    /// The view failed.
    case failed

    /// Whether the person dismissed it, which counts for a session.
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
  /// The names of the reasons.
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

  /// The reason of that name.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - button: the clicked button; for ``action(button:)`` only.
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

/// A client's report on a delivery.
package enum MessageReport: Equatable, Sendable {
  /// It waits on the stack or for the screen; its time to live is suspended.
  case waiting
  /// Its presentation began; intervals count from now.
  case started
  /// It counts as seen.
  case impression
  /// It was clicked, on that button or on the body.
  case clicked(button: String?)
  /// It was shown and dismissed.
  case dismissed(InAppMessage.DismissReason)
  /// It was not shown. Refused by the app's choice, it counts as an impression; otherwise it may
  /// come again.
  case refused(InAppMessage.Refusal)
}

/// The result of presenting the next message of the stack.
public enum PresentNextResult: Hashable, Sendable {
  /// It is on screen.
  case presented(MessageID)
  /// There was none.
  case empty
  /// It was taken off the stack and not shown.
  case refused(InAppMessage.Refusal)
  /// It is still on the stack: the app chose so, or the screen was taken.
  case reenqueued
}

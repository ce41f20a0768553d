extension InAppMessage {
  /// How a delivery ended; each ends once.
  public enum Outcome: Hashable, Sendable {
    case presented(dismissedBy: DismissReason)
    /// It was a control: counted, and shown to nobody.
    case control
    /// It was never shown.
    case refused(Refusal)
  }

  /// Why a message was not shown.
  public enum Refusal: String, Hashable, Sendable, CaseIterable {
    // By the server, at the event.
    /// The person's data is not collected, or their messages are paused.
    case collectionOff
    case noMatch
    /// The campaign is no draft any more, or not yet: it does not run.
    case notLive
    case audience
    /// The person has seen it.
    case frequency
    case cap
    /// Too soon after another message.
    case interval
    /// The person has one of this campaign under way.
    case reserved
    /// Another campaign was ahead.
    case outranked
    /// Nobody of the person was there to show it in time.
    case noClient
    // By the server, or where it was to be shown.
    case expired
    case stopped
    /// A template came to nothing.
    case aborted
    case invalidContent
    // Where it was to be shown.
    /// The app wants no messages now.
    case suppressed
    case noDisplay
    /// An image or a video could not be had.
    case assets
    case orientation
    case userMismatch
    /// The app chose to discard it.
    case choice
    /// Too many others waited on the stack.
    case overflow
    /// A newer delivery took its place, or the message on screen took it in.
    case replaced
    /// Its session was over, or left.
    case sessionEnded
    /// The view did not say in time what became of it.
    case watchdog
  }
}

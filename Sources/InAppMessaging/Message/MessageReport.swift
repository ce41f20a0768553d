/// What a client tells of a delivery.
package enum MessageReport: Equatable, Sendable {
  /// It waits on the stack, or for the slot: its time to live stands still.
  case waiting
  /// Its presentation began; messages after it keep their distance from now.
  case started
  /// It counts as seen.
  case impression
  /// It was clicked, on that button or on the body.
  case clicked(button: String?)
  /// It was shown and is gone.
  case dismissed(InAppMessage.DismissReason)
  /// It was not shown. By the app's choice it counts as used up; else it may come again.
  case refused(InAppMessage.Refusal)
}

import GroupSessions
public import UserNotifications
import Vocabulary
import Wire

/// An invitation to a session, as its notification carries it.
///
/// It is answered once for all of a person's devices: the first answer stands, and takes the
/// notification off all of them. The actions of the category `GROUP_WATCH_INVITE` answer by
/// themselves; these methods are for buttons of an app's own.
public struct InvitationNotification: Sendable, Identifiable {
  /// Its notification's.
  public let id: NotificationID
  /// To which session, what is watched there, until when.
  public let details: InvitationDetails
  private let center: UserNotificationCenter

  init?(_ notification: UserNotification, _ center: UserNotificationCenter) {
    guard notification.trigger.isRemote,
      notification.content.categoryID == NotificationCategory.groupWatchInviteID,
      let details = InvitationDetails(notification.content.userInfo)
    else { return nil }
    id = notification.id
    self.details = details
    self.center = center
  }

  /// Accepts, and takes part on this device if it can.
  ///
  /// - Throws: ``GroupWatchError/Code/notificationOver`` if it was declined, taken back, or expired.
  @discardableResult
  public func accept() async throws(GroupWatchError) -> InvitationAcceptance {
    switch try await center.answer(to: id, ActionIdentifier.accept) {
    case .joined: .joined
    case .alreadyAnswered: .alreadyAccepted
    default: .awaited
    }
  }

  /// Declines; done again, it changes nothing.
  ///
  /// - Throws: ``GroupWatchError/Code/notificationOver`` if it was accepted, taken back, or expired.
  public func decline() async throws(GroupWatchError) {
    try await center.answer(to: id, ActionIdentifier.decline)
  }

  /// Writes back; the invitation stays open.
  public func reply(_ text: String) async throws(GroupWatchError) {
    try await center.answer(to: id, ActionIdentifier.reply, text)
  }
}

/// What came of accepting an invitation.
public enum InvitationAcceptance: Hashable, Sendable {
  /// This device takes part; its session comes from ``GroupWatchClient/sessions(of:)``.
  case joined
  /// This device cannot take part as it is; the first of the person's devices that can does so by
  /// itself, this one once it is in the group.
  case awaited
  /// The invitation had been accepted before, here or on another device.
  case alreadyAccepted
}

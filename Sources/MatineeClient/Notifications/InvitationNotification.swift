public import UserNotifications
import Vocabulary
import Wire

/// An invitation to a session, read from its notification.
///
/// One answer counts for all of a person's devices: the first answer stands and removes the
/// notification from every device. The actions of the category `GROUP_WATCH_INVITE` answer by
/// themselves; use these methods for an app's own buttons.
public struct InvitationNotification: Sendable, Identifiable {
  /// The notification's id.
  public let id: NotificationID
  /// The session, what it watches, and when the invitation expires.
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

  /// Accepts the invitation and joins on this device if it can.
  ///
  /// - Throws: ``GroupWatchError/Code/notificationOver`` if it was declined, revoked, or expired.
  @discardableResult
  public func accept() async throws(GroupWatchError) -> InvitationAcceptance {
    switch try await center.answer(to: id, ActionIdentifier.accept) {
    case .joined: .joined
    case .alreadyAnswered: .alreadyAccepted
    default: .awaited
    }
  }

  /// Declines the invitation; repeating it has no effect.
  ///
  /// - Throws: ``GroupWatchError/Code/invitationAnswered`` if it was accepted;
  ///   ``GroupWatchError/Code/notificationOver`` if it was revoked or has expired.
  public func decline() async throws(GroupWatchError) {
    try await center.answer(to: id, ActionIdentifier.decline)
  }

  /// Sends a text reply; the invitation stays open.
  public func reply(_ text: String) async throws(GroupWatchError) {
    try await center.answer(to: id, ActionIdentifier.reply, text)
  }
}

/// The result of accepting an invitation.
public enum InvitationAcceptance: Hashable, Sendable {
  /// This device joins; its session comes from ``GroupWatchClient/sessions(of:)``.
  case joined
  /// This device cannot join yet.
  ///
  /// The first of the person's devices that can join does so by itself; this one can once it is in
  /// the group.
  case awaited
  /// The invitation was already accepted, here or on another device.
  case alreadyAccepted
}

package import Signatures
package import UserNotifications

/// The server's settings for notifications.
package struct NotificationSettings: Sendable {
  /// The rules and limits of trays.
  package var policy = TrayPolicy()
  /// Signs the tokens that answer invitations without a hello; `nil` if invitations have no tokens.
  package var signer: InvitationSigner?
  /// The key that allows pushing to anybody; `nil` if nobody may.
  package var administratorKey: AdministratorKey?
  /// The app's identifier in payloads, in `a` and `sa`.
  package var appID = "matinee"
  /// What is wrong with the address of a push endpoint; `nil` if it is valid.
  ///
  /// Addresses come from clients; the transport that connects to them checks them.
  package var endpointFlaw: @Sendable (PushEndpoint) -> String? = { _ in nil }

  /// Default settings, without tokens and an administrator.
  package init() {}
}

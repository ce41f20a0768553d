package import Signatures
package import UserNotifications

/// How a server keeps and sends notifications.
package struct NotificationSettings: Sendable {
  /// How trays behave, and their bounds.
  package var policy = TrayPolicy()
  /// Makes the tokens by which invitations are answered without a connection; `nil` makes none.
  package var signer: InvitationSigner?
  /// The key of whoever may push to anybody; `nil` where nobody may.
  package var administratorKey: AdministratorKey?
  /// What payloads call the app, as `a` and `sa`.
  package var appID = "matinee"
  /// What is wrong with an address that pushes are to go to; `nil` if nothing is.
  ///
  /// Addresses come from clients. What they may be is for those to judge who connect to them.
  package var endpointFlaw: @Sendable (PushEndpoint) -> String? = { _ in nil }

  /// Trays, without tokens and without an administrator.
  package init() {}
}

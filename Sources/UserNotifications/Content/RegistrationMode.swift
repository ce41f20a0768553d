/// How an app registered for notifications, which decides which of its handlers are called.
///
/// The calls an app registers with decide, not how new the system is that it runs on: who asks for
/// the older ones gets the older handlers and the older rules (Kii, "User Action Handler").
public enum RegistrationMode: String, Hashable, Sendable, CaseIterable {
  /// With the notification centre and its delegate; iOS 10 and later.
  case center
  /// With notification settings and a handler for each way to come by a notification; iOS 8 and 9.
  case legacySettings
}

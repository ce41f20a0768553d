/// Where an app is as seen by its user.
///
/// In a browser: a visible page; a hidden page or a service worker that is alive; no page.
public enum AppPhase: String, Hashable, Sendable, CaseIterable {
  /// In front.
  case foreground
  /// Running, and not in front.
  case background
  /// Not running, or starting because of a notification.
  case notRunning
}

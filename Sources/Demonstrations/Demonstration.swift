package import Scenarios
package import YAML

/// One of the scenarios that come with Matinee, from `scripts/demos`.
package struct Demonstration: Equatable, Sendable {
  /// The file's name without its extension.
  package let name: String
  private let bytes: [UInt8]

  /// All demonstrations, in the recommended order.
  package static let all = [
    Demonstration("together", PackageResources.together_yaml),
    Demonstration("activation-preferred", PackageResources.activation_preferred_yaml),
    Demonstration("activation-disabled", PackageResources.activation_disabled_yaml),
    Demonstration("activation-cancelled", PackageResources.activation_cancelled_yaml),
    Demonstration("staged", PackageResources.staged_yaml),
    Demonstration("play-pause-seek-rate", PackageResources.play_pause_seek_rate_yaml),
    Demonstration("two-at-once", PackageResources.two_at_once_yaml),
    Demonstration("stall-and-recovery", PackageResources.stall_and_recovery_yaml),
    Demonstration("advertisement", PackageResources.advertisement_yaml),
    Demonstration("late-joiner", PackageResources.late_joiner_yaml),
    Demonstration("lost-and-resumed", PackageResources.lost_and_resumed_yaml),
    Demonstration("crash", PackageResources.crash_yaml),
    Demonstration("machines", PackageResources.machines_yaml),
    Demonstration("queue", PackageResources.queue_yaml),
    Demonstration("roles", PackageResources.roles_yaml),
    Demonstration("premiere", PackageResources.premiere_yaml),
    Demonstration("everyone-leaves", PackageResources.everyone_leaves_yaml),
    Demonstration("end-for-all", PackageResources.end_for_all_yaml),
    Demonstration("video-message", PackageResources.video_message_yaml),
    Demonstration("busy-screen", PackageResources.busy_screen_yaml),
    Demonstration("bad-url", PackageResources.bad_url_yaml),
    Demonstration("once-only", PackageResources.once_only_yaml),
    Demonstration("two-devices", PackageResources.two_devices_yaml),
    Demonstration("restart", PackageResources.restart_yaml),
    Demonstration("invitations", PackageResources.invitations_yaml),
    Demonstration("answer-and-crash", PackageResources.answer_and_crash_yaml),
    Demonstration("topics", PackageResources.topics_yaml),
  ]

  /// The demonstration with this name.
  package static func named(_ name: String) -> Demonstration? {
    all.first { $0.name == name }
  }

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The file's text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads the scenario.
  package func scenario() throws(FileError) -> Scenario {
    try ScenarioReader(file: "scripts/demos/\(name).yaml").read(text)
  }
}

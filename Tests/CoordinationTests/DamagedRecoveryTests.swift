import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A server that goes on from a journal of which streams are missing, or end too early.
@Suite struct DamagedRecoveryTests {
  /// What one stream says of another may be wrong then: a group's session may be gone, a session's
  /// group, a participant's device.
  @Test(arguments: 1...150)
  func `whatever is missing, it serves, and in the end nothing is left`(_ seed: Int) throws {
    var script = RandomScript(seed: UInt64(seed))
    for _ in 0..<150 { script.step() }
    var random = SplitMix64(seed: UInt64(seed))
    var stage = script.stage
    stage.isHeld = false
    stage.journal.failures = 0
    stage.journal.damage(by: &random)
    stage.crash()
    let losses = stage.losses
    for name in ["new-1", "new-2"] as [DeviceID] {
      stage.connect(as: name)
      try stage.ask(name, .joinGroup("after"))
    }
    let session = try stage.activate("new-1")
    try stage.join("new-1", session)
    try stage.join("new-2", session)
    stage.advance(.seconds(30))
    for name in ["new-1", "new-2"] as [DeviceID] { stage.disconnect(name) }
    stage.advance(.seconds(24 * 3600))
    #expect(stage.coordinator.groups.rooms.sessions.isEmpty, "seed \(seed)")
    #expect(stage.coordinator.groups.rooms.groups.isEmpty, "seed \(seed)")
    #expect(stage.coordinator.front.devices.isEmpty, "seed \(seed)")
    // Each append stood where the journal's stream ended.
    #expect(stage.losses == losses, "seed \(seed)")
  }
}

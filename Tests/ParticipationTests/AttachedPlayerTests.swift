import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// A device whose app attaches a player while a view shows it, and has none otherwise.
@Suite struct AttachedPlayerTests {
  private let film = ItemID("film")

  /// Ann with a player, and Bob with none yet, in a session.
  private func stage() throws -> ParticipantStage {
    var stage = ParticipantStage()
    stage.add("Ann")
    stage.add("Bob") { ($0.hasPlayer, $0.attendsWithoutPlayer) = (false, true) }
    try stage.gather()
    return stage
  }

  @Test func `a player that is attached opens the media and plays with the group`() throws {
    var stage = try stage()
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait { $0.isRunning(0) }
    #expect(!stage.isRunning(1))
    stage.feed(.playerAttached(true), to: 1)
    try stage.wait { $0.isRunning(1) }
    stage.run(for: .seconds(5))
    #expect(stage.spread(of: [0, 1]) <= .milliseconds(40))
  }

  @Test func `the next player opens the media, too`() throws {
    var stage = try stage()
    stage.feed(.playerAttached(true), to: 1)
    stage.run(for: .seconds(2))
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait { $0.isRunning(0) && $0.isRunning(1) }
    stage.feed(.playerAttached(true), to: 1)
    #expect(!stage.isRunning(1))
    try stage.wait { $0.isRunning(1) }
    #expect(stage.suspensionsOfBob == [])
  }

  @Test(arguments: [PlayerEvent.stalled, .failed(reason: "no such file")])
  func `whoever detaches a player that cannot play is not suspended, and steers`(
    event: PlayerEvent
  ) throws {
    var stage = try stage()
    stage.feed(.playerAttached(true), to: 1)
    stage.run(for: .seconds(2))
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait { $0.isRunning(0) && $0.isRunning(1) }
    stage.members[1].player = nil
    stage.feed(.player(event, of: film), to: 1)
    try stage.wait { !$0.suspensionsOfBob.isEmpty }
    stage.feed(.playerAttached(false), to: 1)
    try stage.wait { $0.suspensionsOfBob.isEmpty }
    stage.ask(.playback(nil, .pause(film)), by: 1, tag: 7)
    try stage.wait { !$0.isRunning(0) }
    guard case .answered? = stage.outcomes(of: 1, tag: 7).first else {
      Issue.record("\(stage.outcomes(of: 1, tag: 7))")
      return
    }
  }

  @Test func `nobody waits for whoever detached their player`() throws {
    var stage = try stage()
    stage.ask(.setWaitingPolicy(nil, .together), by: 0)
    stage.feed(.playerAttached(true), to: 1)
    stage.run(for: .seconds(2))
    stage.feed(.playerAttached(false), to: 1)
    stage.ask(.playback(nil, .play(film)), by: 1)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) }
  }
}

extension ParticipantStage {
  /// Bob's suspensions, as Ann sees them.
  fileprivate var suspensionsOfBob: [Suspension] {
    let playback = members[0].participant.session?.playback
    return members[1].participant.participantID.flatMap {
      playback?.participants[$0]?.suspensions
    } ?? []
  }
}

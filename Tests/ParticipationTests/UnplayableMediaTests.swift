import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Media that cannot be played on one device.
@Suite struct UnplayableMediaTests {
  /// Ann and Bob watch together until Bob's player fails.
  private func stage() throws -> ParticipantStage {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) }
    try stage.gather()
    try stage.failAtBob()
    return stage
  }

  @Test func `who cannot play it is told what and why, and is out`() throws {
    let stage = try stage()
    let media = try #require(ParticipantStage.film.media)
    #expect(stage.updates(of: 1).contains(.unplayable(media, reason: "no such file")))
    #expect(stage.reasonsOfBob == [.coordinatedPlaybackNotPossible])
  }

  @Test func `a copy of other media changes nothing`() throws {
    var stage = try stage()
    stage.feed(.ownCopyNamed(of: ItemID("other")), to: 1)
    stage.run(for: .seconds(1))
    #expect(stage.timesOpened == 1)
  }

  /// What Bob does about it.
  enum Remedy: CaseIterable { case copyOfItem, copyOfFile, resume, leaveAndJoin }

  @Test(arguments: Remedy.allCases)
  func `it is opened again, and Bob plays with the group`(remedy: Remedy) throws {
    var stage = try stage()
    try stage.apply(remedy)
    try stage.wait { $0.timesOpened == 2 && $0.reasonsOfBob == [] }
    stage.ask(.playback(nil, .play(ItemID("film"))), by: 0)
    try stage.wait { $0.isRunning(0) && $0.isRunning(1) }
  }

  @Test(arguments: Remedy.allCases)
  func `what fails again is told again, and Bob is out again`(remedy: Remedy) throws {
    var stage = try stage()
    try stage.apply(remedy)
    try stage.wait { $0.timesOpened == 2 }
    try stage.failAtBob()
    #expect(stage.timesOpened == 2)
    let told = stage.updates(of: 1).filter { if case .unplayable = $0 { true } else { false } }
    #expect(told.count == 2)
  }

  @Test func `what stalled before it failed is opened again, too`() throws {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) }
    try stage.gather()
    stage.ask(.playback(nil, .play(ItemID("film"))), by: 0)
    try stage.wait { $0.isRunning(0) && $0.isRunning(1) }
    stage.feed(.player(.stalled, of: ItemID("film")), to: 1)
    try stage.wait { $0.reasonsOfBob == [.stallRecovery] }
    try stage.failAtBob(with: .stallRecovery)
    try stage.apply(.resume)
    try stage.wait { $0.timesOpened == 2 && $0.reasonsOfBob == [] }
  }

  @Test func `what opens and fails at once again is not opened a third time`() throws {
    var stage = try stage()
    try stage.apply(.copyOfItem)
    try stage.wait { $0.requests(of: 1).contains(where: \.endsSuspension) }
    try stage.failAtBob()
    #expect(stage.timesOpened == 2)
  }
}

extension Request {
  fileprivate var endsSuspension: Bool {
    if case .playback(_, .endSuspension) = self { true } else { false }
  }
}

extension ParticipantStage {
  fileprivate mutating func failAtBob(
    with reason: SuspensionReason = .coordinatedPlaybackNotPossible
  ) throws {
    members[1].player = nil
    feed(.player(.failed(reason: "no such file"), of: ItemID("film")), to: 1)
    run(for: .seconds(1))
    try wait { $0.reasonsOfBob == [reason] }
  }

  fileprivate mutating func apply(_ remedy: UnplayableMediaTests.Remedy) throws {
    switch remedy {
    case .copyOfItem: feed(.ownCopyNamed(of: ItemID("film")), to: 1)
    case .copyOfFile: feed(.ownCopyNamed(of: ItemID("film.mp4")), to: 1)
    case .resume:
      let number = try #require(suspensionsOfBob.first?.id)
      ask(.playback(nil, .endSuspension(number)), by: 1)
    case .leaveAndJoin:
      let session = try #require(sessionID)
      ask(.leave(nil), by: 1)
      try wait { $0.members[1].participant.session == nil }
      ask(.join(session, handoffFrom: nil), by: 1)
    }
  }

  fileprivate var reasonsOfBob: [SuspensionReason] { suspensionsOfBob.map(\.reason) }

  /// Bob's suspensions, as Ann sees them.
  private var suspensionsOfBob: [Suspension] {
    let playback = members[0].participant.session?.playback
    return members[1].participant.participantID.flatMap {
      playback?.participants[$0]?.suspensions
    } ?? []
  }

  /// How often Bob's player was to open anything.
  fileprivate var timesOpened: Int {
    members[1].orders.count { if case .load = $0.order { true } else { false } }
  }
}

import Testing

@testable import Syncplay

/// What clients are told of people, as they come, go, move and open things, is what a List says.
@Suite struct UserlistTests {
  /// In the two last ones an old word comes from a room that somebody has left.
  ///
  /// News of a crowd are kept back for a moment; here three are one.
  @Test(arguments: Array(0..<100) + [965, 2_011], [SyncplayLimits.attentiveAudience, 2])
  func `news say the same as a List`(seed: UInt64, attentiveAudience: Int) {
    var evening = RandomEvening(seed: seed)
    evening.world.lobby.roster.attentiveAudience = attentiveAudience
    for _ in 0..<80 { evening.goOn() }
    evening.world.wait(3)
    for name in evening.present {
      let told = evening.userlist(of: name)
      evening.world.say(#"{"List":null}"#, as: name)
      #expect(
        told.others == evening.userlist(of: name).others,
        "seed \(seed), \(attentiveAudience), \(name)")
    }
  }
}

import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Who is told why another person does or does not see campaigns, and about whom.
@Suite struct ExplanationTests {
  private static let campaigns: [Campaign] = [.sample("m"), .sample("draft") { $0.state = .draft }]

  /// A server with keys and campaigns, where Ann has one message and is kept from another.
  private static func door() throws -> KeyedDoor {
    var door = try KeyedDoor()
    door.stage.handle(.campaigns(try CampaignSet(campaigns)))
    try door.found()
    try door.enter("ben")
    try door.stage.tell("ann", .appState(AppState(isVisible: true, epoch: 1)))
    for _ in 0..<2 { try door.stage.log("ann") }
    return door
  }

  // Proves: R-40
  @Test func `an administrator is told why another person does not see a campaign, drafts too`()
    throws
  {
    var door = try Self.door()
    door.administer()
    let seq = door.stage.messaging()?.seq
    let told = try door.stage.explanations(of: "ann", to: "admin")
    #expect(told.map(\.campaign) == ["draft", "m"])
    #expect(told.map(\.now) == [.notLive, .reserved])
    #expect(told.map(\.last?.refusal) == [nil, .reserved])
    #expect(told.map(\.trigger) == [nil, "event go"])
    let bens = try door.stage.explanations(of: "ben", to: "admin")
    #expect(bens.map(\.now) == [.notLive, nil] && bens.allSatisfy { $0.last == nil })
    let one = try door.stage.explanations(of: "ann", "m", to: "admin")
    #expect(one == Array(told.suffix(1)))
    // Nothing is changed by asking.
    #expect(door.stage.messaging()?.seq == seq)
    #expect(door.stage.coordinator.people.users["ben"] == nil)
  }

  @Test func `a person may ask about themselves only, and an administrator about persons only`()
    throws
  {
    var door = try Self.door()
    for user: UserID in ["ann", "ben", "nobody"] {
      let refusal = try door.stage.refusal("ben", .messaging(.explain("m", of: user)))
      #expect(refusal.code == .forbidden && refusal.reason == "administrator", "\(user)")
    }
    door.administer()
    #expect(try door.stage.refusal("admin", .messaging(.explain("m"))).code == .noPerson)
    let unknown = try door.stage.refusal("admin", .messaging(.explain("none", of: "ann")))
    #expect(unknown.code == .unknownCampaign)
  }

  @Test func `who left is known, and who was never let in is not`() throws {
    var door = try Self.door()
    door.administer()
    door.stage.disconnect("ann")
    let told = try door.stage.explanations(of: "ann", to: "admin")
    #expect(told.map(\.last?.refusal) == [nil, .reserved])
    door.stage.disconnect("ben")
    door.stage.advance(Limits().resumeGrace)
    // Of Ben there is his name only.
    for user: UserID in ["ann", "ben"] {
      #expect(try door.stage.explanations(of: user, to: "admin").count == 2, "\(user)")
    }
    // Cleo shows a credential, which may be anybody's, until a group lets her in.
    door.greet("cleo")
    for user: UserID in ["cleo", "nobody"] {
      let refusal = try door.stage.refusal("admin", .messaging(.explain(nil, of: user)))
      #expect(refusal.code == .unknownUser, "\(user)")
    }
    try door.stage.ask("admin", .freeName("ben"))
    let freed = try door.stage.refusal("admin", .messaging(.explain(nil, of: "ben")))
    #expect(freed.code == .unknownUser)
  }

  @Test func `who is here is known, also if nothing is kept for them`() throws {
    var door = try Door()
    door.stage.handle(.campaigns(try CampaignSet(Self.campaigns)))
    door.greet("ann", as: "ann", try Door.token("ann"))
    door.greet("eve", as: "eve", try Door.token("eve", groups: [], admin: true))
    #expect(try door.stage.explanations(of: "ann", to: "eve").map(\.campaign) == ["draft", "m"])
    #expect(try door.stage.explanations(of: "eve", to: "eve").map(\.campaign) == ["draft", "m"])
    #expect(try door.stage.refusal("ann", .messaging(.explain(nil, of: "eve"))).code == .forbidden)
    door.stage.disconnect("ann")
    let gone = try door.stage.refusal("eve", .messaging(.explain(nil, of: "ann")))
    #expect(gone.code == .unknownUser)
  }

  @Test func `where access is open, only who has the key asks about others`() throws {
    var stage = try Stage.notifying()
    stage.handle(.campaigns(try CampaignSet(Self.campaigns)))
    stage.connect(as: "ann")
    stage.connect(as: "ben")
    let refusal = try stage.refusal("ben", .messaging(.explain(nil, of: "ann")))
    #expect(refusal.code == .forbidden)
    let peer = stage.connectSilently()
    var hello = stage.hello("admin")
    hello.administratorKey = Stage.administratorKey
    stage.say(.hello(hello), on: peer)
    stage.peers["admin"] = peer
    #expect(try stage.explanations(of: "ann", to: "admin").map(\.campaign) == ["draft", "m"])
  }
}

extension Stage {
  /// What a device is told about a person.
  fileprivate mutating func explanations(
    of user: UserID, _ campaign: CampaignID? = nil, to device: DeviceID
  ) throws -> [Explanation] {
    post(.messaging(.explain(campaign, of: user)), from: device)
    let answer = try #require(inbox(device).last)
    guard case .explanation(_, let explanations) = answer else { throw ProtocolError(.busy) }
    return explanations
  }
}

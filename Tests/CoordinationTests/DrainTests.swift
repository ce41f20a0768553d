import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// One of several servers is emptied, so that it can be updated.
@Suite struct DrainTests {
  private static func servers(draining: Set<ServerID> = []) -> [StatusReport.Server] {
    [
      StatusReport.Server(
        "a:7879", version: "1", peers: 3, decides: true, isDraining: draining.contains("a:7879")),
      StatusReport.Server(
        "b:7879", version: "1", peers: 2, isDraining: draining.contains("b:7879")),
    ]
  }

  @Test func `an administrator drains a server, as long as another one can go on`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.administer()
    #expect(try door.stage.refusal("admin", .drain("b:7879")).code == .unknownServer)
    door.stage.handle(.servers(Self.servers()))
    #expect(try door.stage.refusal("ann", .drain("b:7879")).code == .forbidden)
    #expect(try door.stage.refusal("admin", .drain("c:7879")).code == .unknownServer)
    #expect(door.stage.drained.isEmpty)
    try door.stage.ask("admin", .drain("b:7879"))
    #expect(door.stage.drained == ["b:7879"])
    door.stage.handle(.servers(Self.servers(draining: ["b:7879"])))
    try door.stage.ask("admin", .drain("b:7879"))
    #expect(door.stage.drained == ["b:7879"], "it is being drained already")
    #expect(try door.stage.refusal("admin", .drain("a:7879")).code == .onlyServer)
    door.stage.handle(.servers(Array(Self.servers().prefix(1))))
    #expect(try door.stage.refusal("admin", .drain("a:7879")).code == .onlyServer)
  }

  @Test func `who asks is answered before anybody has to go, even while the journal is away`()
    throws
  {
    for isHeld in [false, true] {
      var door = try KeyedDoor()
      door.administer()
      door.stage.handle(.servers(Self.servers()))
      door.stage.isHeld = isHeld
      door.stage.post(.drain("b:7879"), from: "admin")
      let isAnswered = door.stage.inbox("admin").contains {
        if case .answer(_, .done) = $0 { true } else { false }
      }
      #expect(isAnswered && door.stage.drained == ["b:7879"])
    }
  }

  @Test func `a name that two servers have is nobody's`() throws {
    var door = try KeyedDoor()
    door.administer()
    door.stage.handle(.servers(Self.servers() + Self.servers().suffix(1)))
    #expect(try door.stage.refusal("admin", .drain("b:7879")).code == .unknownServer)
  }

  @Test func `only an administrator is told of the servers`() throws {
    var door = try KeyedDoor()
    try door.found()
    door.administer()
    door.stage.handle(.servers(Self.servers()))
    for (device, told) in [("ann", []), ("admin", Self.servers())]
      as [(DeviceID, [StatusReport.Server])]
    {
      door.stage.post(.status(), from: device)
      let report = door.stage.inbox(device).compactMap {
        if case .status(_, let report) = $0 { report } else { nil }
      }.last
      #expect(report?.servers == told)
    }
  }

  @Test func `who is sent back keeps their place, and resumes elsewhere`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("ben")
    let peer = door.stage["ben"].peer
    let token = try #require(door.stage["ben"].token)
    door.stage.handle(.sendBack(peer))
    #expect(door.end(of: peer)?.code == .shuttingDown)
    #expect(door.members == ["ann", "ben"])
    let again = door.greet("ben", resume: Resumption(token: token))
    #expect(door.welcome(of: again)?.isResumed == true)
    #expect(door.end(of: door.stage["ann"].peer) == nil, "nobody else is told to go")
  }
}

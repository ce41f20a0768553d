import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// What a client and the server's log are told of a fault.
@Suite struct FaultTests {
  @Test(
    arguments: [
      .notJSON(line: "5f4dcc3b"), .malformed("The field '5f4dcc3b' is missing."),
      .echoed("5f4dcc3b"), .unknownCommand("5f4dcc3b"), .removed(room: "+lobby:0123:5f4dcc3b"),
      .closed(room: "+lobby:0123:5f4dcc3b"),
    ] as [SyncplayFault])
  func `the client gets its own text back, and the log has none of it`(fault: SyncplayFault) {
    #expect(fault.message.contains("5f4dcc3b"))
    #expect(!fault.reason.contains("5f4dcc3b") && !fault.reason.isEmpty)
  }
}

/// Clients that are hung up on without a word, because they never come back after an Error.
@Suite struct SilentEndTests {
  @Test func `whose player takes long to start may come again`() throws {
    var world = SyncplayWorld()
    world.connect("alice")
    world.wait(11)
    #expect(world.isOver("alice"))
    #expect(world.heard(by: "alice").isEmpty)
    try SyncplayScript("alice enters lobby").play(on: &world)
  }

  @Test(arguments: [.shuttingDown, .helloTimeout, .idleTimeout] as [ErrorCode])
  func `after a silence and at a restart there is no Error`(code: ErrorCode) throws {
    var world = SyncplayWorld()
    world.connect("alice")
    let id = try #require(world.clients["alice"]?.id)
    let outputs = world.lobby.handle(.refused(id, ProtocolError(code)), at: world.now)
    #expect(outputs.contains(.close(id, nil)))
  }

  @Test func `of a full server there is an Error`() throws {
    var world = SyncplayWorld()
    world.connect("alice")
    let id = try #require(world.clients["alice"]?.id)
    let outputs = world.lobby.handle(.refused(id, ProtocolError(.serverFull)), at: world.now)
    #expect(!outputs.contains(.close(id, nil)))
  }
}

import Coordination
import DatabaseTesting
import EventLoops
import GroupSessions
import Naming
import PostgreSQL
import Testing
import Vocabulary
import Wire
import WireTesting

@testable import Journals

/// A journal in PostgreSQL whose server dies, hangs or loses connections.
@Suite struct DatabaseFaultTests {
  private static func migrated(_ server: DatabaseServer) throws -> String {
    let database = try server.makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    return database
  }

  private static func opening(_ name: String, after seq: Int = 0) -> Append {
    Append(
      to: .group(GroupID(name)), after: seq,
      [
        RecordedEvent(
          at: JournalScene.start,
          event: .group(seq == 0 ? .opened(by: "ann") : .memberResumed("ann")))
      ])
  }

  @Test func `a batch whose answer got lost is kept once`() throws {
    let database = try Self.migrated(DatabaseServer.shared())
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      // A commit that gives up waiting for a standby looks like this.
      try DatabaseServer.run(
        """
        CREATE FUNCTION doubt() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication'; RETURN NEW; END $$;
        CREATE TRIGGER doubt BEFORE INSERT ON matinee.event FOR EACH ROW EXECUTE FUNCTION doubt()
        """, at: database)
      scene.append(Self.opening("a"))
      try scene.settle()
      #expect(scene.outcomes.map(\.outcome) == [.kept])
      try scene.close()
      #expect(try scene.opened().contents.streams.map(\.events.count) == [1])
      #expect(try scene.archive().verify().isSound)
    }
  }

  @Test func `a server that another one has replaced changes nothing any more`() throws {
    let database = try Self.migrated(DatabaseServer.shared())
    try JournalScene.run(in: database) { zombie in
      try zombie.begin()
      zombie.append(Self.opening("a"))
      try zombie.settle()
      // Its connection breaks, and it does not notice before its next append.
      try DatabaseServer.run(PostgreSQLSQL.endHolders, at: database)
      let heir = try zombie.opened()
      #expect(heir.contents.streams.count == 1)
      for name in ["b", "c"] {
        zombie.append(Self.opening(name))
        try zombie.settle()
      }
      #expect(zombie.outcomes.map(\.outcome) == [.kept, .failed, .failed])
      #expect(zombie.complaints.last??.contains("another server has taken the journal") == true)
      withExtendedLifetime(heir) {}
      #expect(try zombie.archive().overview().streams.map(\.name) == ["a"])
    }
  }

  @Test func `a call of an old incarnation changes nothing, even on a connection that is whole`()
    throws
  {
    let database = try Self.migrated(DatabaseServer.shared())
    try JournalScene.run(in: database) { zombie in
      try zombie.begin()
      try DatabaseServer.run(
        "UPDATE matinee.node SET owner = 0, incarnation = incarnation + 1", at: database)
      zombie.append(Self.opening("a"))
      try zombie.settle()
      #expect(zombie.outcomes.map(\.outcome) == [.failed])
      #expect(zombie.complaints.last??.contains("another server has taken the journal") == true)
      #expect(try zombie.archive().overview().streams == [])
    }
  }

  @Test func `a journal of which nobody asks anything tells that its server is away, and is back`()
    throws
  {
    let server = try DatabaseServer()
    try JournalScene.run(in: Self.migrated(server)) { scene in
      try scene.begin()
      for _ in 1...2 {
        try server.command(.stop)
        try scene.awaitAbsence(true)
        try server.command(.start)
        try scene.awaitAbsence(false)
      }
      #expect(scene.complaints.isEmpty)
      scene.append(Self.opening("a"))
      try scene.awaitOutcomes(1)
    }
  }

  @Test func `what is asked while the server is away fails at once, and writing goes on by itself`()
    throws
  {
    let server = try DatabaseServer()
    try JournalScene.run(in: Self.migrated(server)) { scene in
      try scene.begin()
      scene.append(Self.opening("a"))
      try scene.settle()
      try server.command(.kill)
      // The first one may have been kept, and so waits for the server.
      scene.append(Self.opening("b"))
      try scene.awaitComplaint { $0 != nil }
      #expect(scene.doubts.first?.aggregate == .group("b"))
      scene.append(Self.opening("c"))
      try scene.awaitOutcomes(2)
      #expect(scene.outcomes.last?.append.aggregate == .group("c"))
      #expect(scene.outcomes.last?.outcome == .failed)
      // An end needs no answer, and must not get lost.
      scene.journal?.forget(.group("a"))
      scene.append(Self.opening("d"))
      try scene.awaitOutcomes(3)
      try server.command(.start)
      try scene.awaitComplaint { $0 == nil }
      try scene.settle()
      #expect(scene.outcomes.last?.append.aggregate == .group("b"))
      #expect(scene.outcomes.last?.outcome == .kept)
      #expect(scene.times[3] > scene.times[1], "the first one took longer than what failed at once")
      scene.append(Self.opening("a"))
      try scene.close()
      #expect(scene.outcomes.last?.outcome == .kept)
      let streams = try scene.opened().contents.streams
      #expect(streams.map(\.aggregate.name) == ["b", "a"])
      #expect(streams.map(\.events.count) == [1, 1])
    }
  }

  @Test func `a journal that is closed while the server is away waits for some seconds only`()
    throws
  {
    let server = try DatabaseServer()
    try JournalScene.run(in: Self.migrated(server)) { scene in
      try scene.begin()
      try server.command(.kill)
      // It is not known whether this one was kept, so it waits for the server.
      scene.append(Self.opening("a"))
      try scene.awaitComplaint { $0 != nil }
      try scene.close(isAnswered: false)
      #expect(scene.outcomes.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a journal that is closed while the server hangs waits for some seconds only`(
    isWriting: Bool
  ) throws {
    let server = try DatabaseServer()
    try JournalScene.run(in: Self.migrated(server)) { scene in
      try scene.begin()
      scene.append(Self.opening("a"))
      try scene.settle()
      try server.command(.freeze)
      if isWriting { scene.append(Self.opening("b")) }
      try scene.close(isAnswered: false)
      #expect(scene.outcomes.count == 1)
      try server.command(.thaw)
    }
  }

  /// What a failover may lose: an event, or the end of a stream before another one of its name.
  @Test(arguments: [
    ("DELETE FROM matinee.event WHERE seq = 3; UPDATE matinee.stream SET last = 2", false),
    ("UPDATE matinee.stream SET ended = NULL", true),
  ])
  func `a server of which the database has lost changes writes no more, and another one goes on`(
    loss: String, hasEnded: Bool
  ) throws {
    let database = try Self.migrated(DatabaseServer.shared())
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      for seq in 0..<3 {
        scene.append(Self.opening("a", after: seq))
        try scene.settle()
      }
      if hasEnded { scene.journal?.forget(.group("a")) }
      try scene.close()
      try scene.begin()
      // A stream that has ended begins anew.
      let next = hasEnded ? 0 : 3
      try DatabaseServer.run(loss, at: database)
      for append in [Self.opening("a", after: next), Self.opening("b")] {
        scene.append(append)
        try scene.settle()
        #expect(scene.outcomes.last?.outcome == .failed)
      }
      #expect(scene.replacement?.contains("lacks changes that this server has made") == true)
      try scene.close()
      #expect(try DatabaseServer.run("SELECT owner FROM matinee.pulse", at: database) == "0")
      try scene.begin()
      let kept = hasEnded ? 3 : 2
      scene.append(Self.opening("a", after: kept))
      try scene.close()
      #expect(scene.outcomes.last?.outcome == .kept)
      #expect(try scene.opened().contents.streams.map(\.events.count) == [kept + 1])
      #expect(try scene.archive().verify().isSound)
    }
  }

  @Test func `a standby that is promoted has all that was kept, and writing goes on there`() throws
  {
    let server = try DatabaseServer()
    try server.command(.standby)
    let database = server.addressWithStandby(of: "postgres")
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      var seq = 0
      try server.begin([.kill, .promote])
      // Some before, some during and some after the failover.
      while seq < 50 || scene.complaints.isEmpty {
        scene.append(Self.opening("a", after: seq))
        try scene.settle()
        if scene.outcomes.last?.outcome == .kept { seq += 1 }
      }
      try server.finish([.kill, .promote])
      try scene.awaitRecovery()
      scene.append(Self.opening("a", after: seq))
      try scene.close()
      #expect(scene.outcomes.last?.outcome == .kept)
      #expect(try scene.opened().contents.streams.map(\.events.count) == [seq + 1])
      #expect(try scene.archive().verify().isSound)
    }
  }

  /// The server as faults leave it is compared with what was answered, after faults in random order.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `what was kept is there once, whatever happens to the server`(seed: UInt64) throws {
    let server = try DatabaseServer()
    let database = try Self.migrated(server)
    var random = SeededFaults(seed)
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      var seqs: [String: Int] = [:]
      var counted = 0
      /// Takes over what was answered since the last call.
      func count() {
        for (append, outcome) in scene.outcomes[counted...] where outcome == .kept {
          seqs[append.aggregate.name, default: 0] += 1
        }
        counted = scene.outcomes.count
      }
      func appendSome() {
        for name in random.names() { scene.append(Self.opening(name, after: seqs[name] ?? 0)) }
      }
      for _ in 0..<6 {
        appendSome()
        try scene.settle()
        count()
        let commands = random.commands()
        if commands.isEmpty { try DatabaseServer.run(PostgreSQLSQL.endHolders, at: database) }
        try server.begin(commands)
        // Some before, some during and some after the fault.
        for _ in 0..<20 {
          appendSome()
          try scene.settle()
          count()
        }
        try server.finish(commands)
        try scene.awaitRecovery()
      }
      try scene.close()
      let streams = try scene.opened().contents.streams
      let found = Dictionary(
        uniqueKeysWithValues: streams.map { ($0.aggregate.name, $0.events.count) })
      #expect(found == seqs, "seed \(seed)")
      #expect(try scene.archive().verify().isSound, "seed \(seed)")
    }
  }
}

/// Random faults of a database's server.
private struct SeededFaults {
  private var random: RandomValues

  init(_ seed: UInt64) {
    random = RandomValues(seed: seed)
  }

  /// Some of a few groups, each at most once.
  mutating func names() -> [String] {
    (1...5).filter { _ in random.chance() }.map { "g-\($0)" }
  }

  /// What happens to the server; nothing stands for a broken connection.
  mutating func commands() -> [DatabaseServer.Command] {
    switch random.number(0...3) {
    case 0: [.kill, .start]
    case 1: [.stop, .start]
    case 2: [.freeze, .thaw]
    default: []
    }
  }
}

import Clusters
import Coordination
import DatabaseTesting
import EventLoops
import LoopTesting
import Naming
import PostgreSQL
import Testing
import Vocabulary

@testable import Journals

/// Servers that wait for a journal in PostgreSQL, while others have it, return it, or fall silent.
@Suite struct StandbyTests {
  private static func look(
    _ beat: Int64, of owner: Int64 = 7, isHeld: Bool = true, access: String? = nil
  ) -> PulseWatch.Look {
    .init(owner: owner, beat: beat, isHeld: isHeld, access: access)
  }

  /// What a watch says of looks that come a pause after each other.
  private static func verdicts(
    _ looks: [PulseWatch.Look], after elapsed: Duration = PulseWatch.pause, access: String? = nil
  ) -> [PulseWatch.Verdict] {
    var watch = PulseWatch(access: access)
    return looks.map { watch.take($0, after: elapsed) }
  }

  @Test func `a pulse that stands still for twelve looks is dead, and not before`() {
    let verdicts = Self.verdicts(Array(repeating: Self.look(3), count: 12))
    #expect(verdicts == Array(repeating: .alive, count: 11) + [.dead])
  }

  @Test func `without the lock seven looks are enough`() {
    let verdicts = Self.verdicts(Array(repeating: Self.look(3, isHeld: false), count: 7))
    #expect(verdicts == Array(repeating: .alive, count: 6) + [.dead])
  }

  @Test func `a beat, another server, or the lock's return begins the count anew`() {
    let still = Array(repeating: Self.look(3, isHeld: false), count: 5)
    for change in [Self.look(4, isHeld: false), Self.look(3, of: 8, isHeld: false), Self.look(3)] {
      let rest = Array(repeating: Self.look(change.beat, of: change.owner, isHeld: false), count: 5)
      #expect(!Self.verdicts(still + [change] + rest).contains(.dead), "\(change)")
    }
  }

  @Test func `looks that a busy machine or database delayed show nothing`() {
    let still = Array(repeating: Self.look(3, isHeld: false), count: 30)
    #expect(!Self.verdicts(still, after: .milliseconds(501)).contains(.dead))
    #expect(Self.verdicts(still, after: .milliseconds(500)).contains(.dead))
  }

  @Test func `a journal that was given back is free at once`() {
    #expect(Self.verdicts([Self.look(3, of: 0)]) == [.free])
  }

  @Test
  func `a server with another access takes over neither from a dead server nor a free journal`() {
    let dead = Array(repeating: Self.look(3, isHeld: false, access: "tokens"), count: 7)
    let free = Array(repeating: Self.look(4, of: 0, isHeld: false, access: "tokens"), count: 20)
    let verdicts = Self.verdicts(dead + free, access: "open")
    let alive = Array(repeating: PulseWatch.Verdict.alive, count: 6)
    #expect(verdicts == alive + Array(repeating: .barred, count: 21))
    #expect(Self.verdicts(dead, access: "tokens") == alive + [.dead])
    // What an older Matinee has written names none.
    #expect(Self.verdicts([Self.look(3), Self.look(4, of: 0)], access: "open").last == .free)
  }

  @Test func `a journal of another access is free if no server stands by that had the old one`() {
    let free = Array(repeating: Self.look(4, of: 0, isHeld: false, access: "tokens"), count: 7)
    let alive = Array(repeating: PulseWatch.Verdict.alive, count: 6)
    #expect(Self.verdicts(free, access: "open") == alive + [.free])
    #expect(Self.verdicts(free, access: "tokens").first == .free)
  }

  @Test func `an absence of the database does not make a server forget that another one had it`() {
    var watch = PulseWatch(access: "open")
    _ = watch.take(Self.look(3, access: "tokens"), after: PulseWatch.pause)
    watch.restart()
    let free = Self.look(3, of: 0, isHeld: false, access: "tokens")
    #expect(watch.take(free, after: PulseWatch.pause) == .barred)
  }

  @Test func `of two who stand by, the one with the access of the last server takes the journal`()
    throws
  {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    let opened = try PostgreSQLOpening(
      PostgreSQLAddress(database), access: "tokens", retention: .seconds(3600), limits: Limits(),
      at: JournalScene.start)
    // It takes no links.
    try TestLoop.run { test in
      var notices: [PostgreSQLStandby.Notice] = []
      let odd = try PostgreSQLStandby(
        for: PostgreSQLAddress(database), access: "open", on: test.loop
      ) { notices.append($0) }
      defer { odd.finish() }
      try test.run { notices.contains(.access("tokens")) }
      opened.close()
      try test.run { notices.last == .barred }
      var isTaken = false
      let fitting = try PostgreSQLStandby(
        for: PostgreSQLAddress(database), access: "tokens", on: test.loop
      ) { isTaken = $0 == .taken(fromDead: false) }
      defer { fitting.finish() }
      try test.run { isTaken }
    }
  }

  @Test func `who stands by takes a journal once it is given back, and not while it is in use`()
    throws
  {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      var notices: [PostgreSQLStandby.Notice] = []
      let standby = try PostgreSQLStandby(for: PostgreSQLAddress(database), on: scene.test.loop) {
        notices.append($0)
      }
      defer { standby.close() }
      try scene.test.run { !notices.isEmpty }
      // Longer than a server may fall silent.
      try scene.test.run(for: .seconds(4))
      #expect(notices == [.waiting(for: nil)])
      try scene.close()
      try scene.test.run { notices.count == 2 }
      #expect(notices.last == .taken(fromDead: false))
      #expect(!scene.isReplaced)
    }
  }

  @Test func `the link comes with the secrets, as soon as the database can be asked for them`()
    throws
  {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try JournalScene.run(in: database) { scene in
      let opened = try #require(try scene.opened() as? PostgreSQLOpening)
      try opened.add(secret: [1, 2, 3], named: "tls")
      // The database answers the look, but not the question after it.
      try DatabaseServer.run("ALTER TABLE matinee.secret RENAME TO hidden", at: database)
      opened.advertise("127.0.0.1:7879")
      var (holders, failures): ([JournalHolder], [String]) = ([], [])
      let standby = try PostgreSQLStandby(for: PostgreSQLAddress(database), on: scene.test.loop) {
        switch $0 {
        case .waiting(let holder): if let holder { holders.append(holder) }
        case .failing(let reason): failures.append(reason)
        case .access(let access): Issue.record("told of \(access)")
        case .barred: Issue.record("barred")
        case .taken(let isFromDead): Issue.record("taken, from a dead server: \(isFromDead)")
        }
      }
      defer { standby.close() }
      try scene.test.run { !failures.isEmpty }
      #expect(failures.last?.contains("secret") == true, "\(failures)")
      #expect(holders.isEmpty)
      try DatabaseServer.run("ALTER TABLE matinee.hidden RENAME TO secret", at: database)
      try scene.test.run { !holders.isEmpty }
      #expect(holders.map(\.link) == ["127.0.0.1:7879"])
      #expect(try holders[0].secrets() == ["tls": [1, 2, 3]])
      withExtendedLifetime(opened) {}
    }
  }

  @Test func `who stands by looks again while a restore has not filled the tables yet`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try DatabaseServer.run("DELETE FROM matinee.pulse", at: database)
    try TestLoop.run { test in
      var notices: [PostgreSQLStandby.Notice] = []
      let standby = try PostgreSQLStandby(for: PostgreSQLAddress(database), on: test.loop) {
        notices.append($0)
      }
      defer { standby.finish() }
      try test.run { !notices.isEmpty }
      try DatabaseServer.run("INSERT INTO matinee.pulse VALUES (1, 7, 5)", at: database)
      try test.run { notices.count >= 2 }
      #expect(
        notices.prefix(2)
          == [.failing(PostgreSQLError.missingRow.description), .waiting(for: nil)])
    }
  }

  @Test func `a journal that is closed unused is given back`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    let opened = try PostgreSQLOpening(
      PostgreSQLAddress(database), retention: .seconds(3600), limits: Limits(),
      at: JournalScene.start)
    let owners = "SELECT p.owner, n.owner FROM matinee.pulse p, matinee.node n"
    #expect(try DatabaseServer.run(owners, at: database) != "0|0")
    opened.close()
    #expect(try DatabaseServer.run(owners, at: database) == "0|0")
  }

  @Test func `of many who stand by, one takes the journal`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try TestLoop.run { test in
      var taken: [Int] = []
      let crowd = try (0..<8).map { number in
        try PostgreSQLStandby(for: PostgreSQLAddress(database), on: test.loop) {
          if case .taken = $0 { taken.append(number) }
        }
      }
      defer { for standby in crowd { standby.close() } }
      try test.run { !taken.isEmpty }
      // The first look of each finds the journal free, or taken by another one.
      try test.run(for: .milliseconds(600))
      #expect(taken.count == 1)
    }
  }

  @Test func `a server that was replaced is told, though it writes nothing`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try JournalScene.run(in: database) { zombie in
      try zombie.begin()
      try DatabaseServer.run(
        """
        UPDATE matinee.pulse SET owner = 1;
        UPDATE matinee.node SET owner = 1, incarnation = incarnation + 1
        """, at: database)
      try zombie.test.run { zombie.isReplaced }
      #expect(zombie.complaints.last??.contains("another server has taken the journal") == true)
      zombie.append(JournalScene.opening("a"))
      try zombie.settle()
      #expect(zombie.outcomes.map(\.outcome) == [.failed])
      try zombie.close()
      // It gives back only what is its own.
      #expect(try DatabaseServer.run("SELECT owner FROM matinee.pulse", at: database) == "1")
    }
  }

  @Test func `a pulse that has gone on since the look is not taken over`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try DatabaseServer.run(
      "UPDATE matinee.pulse SET owner = 7, beat = 5; UPDATE matinee.node SET owner = 7",
      at: database)
    let connection = try PostgreSQLConnection(PostgreSQLAddress(database))
    func take(at beat: Int64) throws -> Int {
      try connection.run(PostgreSQLSQL.take, [.number(8), .number(7), .number(beat)]).count
    }
    #expect(try take(at: 4) == 0)
    #expect(try DatabaseServer.run("SELECT owner FROM matinee.node", at: database) == "7")
    #expect(try take(at: 5) == 1)
    #expect(try DatabaseServer.run("SELECT owner FROM matinee.node", at: database) == "8")
  }

  @Test func `clocks that differ are told, and once they agree again`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    func setClock(ahead seconds: Int) throws {
      try DatabaseServer.run(
        """
        CREATE OR REPLACE FUNCTION odd.clock_timestamp() RETURNS timestamptz LANGUAGE sql
          AS $$ SELECT pg_catalog.clock_timestamp() + interval '\(seconds) s' $$
        """, at: database)
    }
    // Connections find this database's own clock first.
    try DatabaseServer.run(
      """
      CREATE SCHEMA odd;
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = odd, pg_catalog', current_database());
      END $$
      """, at: database)
    try setClock(ahead: 3600)
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      try scene.test.run { !scene.clockDifferences.isEmpty }
      let difference = try #require(scene.clockDifferences[0])
      #expect(difference > .seconds(3590) && difference < .seconds(3610))
      try setClock(ahead: 0)
      try scene.test.run { scene.clockDifferences.count == 2 }
      #expect(scene.clockDifferences[1] == nil)
    }
  }

  @Test func `on another machine the group's time goes on by the database's clock`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      scene.append(JournalScene.opening("a"))
      try scene.close()
      // When its machine had been up for 40 s, the server's clock showed 1,000 s more than the event's
      // instant. Its last beat came 10 s later, 30 s ago.
      try DatabaseServer.run(
        """
        INSERT INTO matinee.clock (id, boot, host, instant)
          VALUES (1, 'other', 40000000, \((JournalScene.start + .seconds(1000)).microseconds));
        UPDATE matinee.pulse SET boot = 'other', host = 50000000,
          told = clock_timestamp() - interval '30 s'
        """, at: database)
      let before = MonotonicClock.read()
      let tie = try #require(try scene.opened().contents.clock)
      let after = MonotonicClock.read()
      #expect(tie.boot == BootID.read())
      #expect((before...after).contains(tie.host))
      // The time that the test's own SQL took counts, too.
      let shown = tie.instant - (JournalScene.start + .seconds(1040))
      #expect(shown >= .zero && shown < .seconds(60))
    }
  }
}

package import EventLoops
package import PostgreSQL
package import Vocabulary

/// A journal in PostgreSQL, taken over from other servers and read; a ``StoredJournal`` continues
/// it.
package final class PostgreSQLOpening: OpenedJournal {
  /// What the journal held when it was opened.
  package let contents: JournalContents
  private let access: PostgreSQLAccess
  private let pulse: PostgreSQLPulse

  /// Takes a journal over, and blocks while it reads.
  ///
  /// The tables must have been made by ``PostgreSQLMigration``.
  ///
  /// - Parameters:
  ///   - address: the database.
  ///   - access: how people prove who they are at this server; one with another access does not take
  ///     the journal over from it. `nil` does not say so.
  ///   - retention: how long history is kept.
  ///   - limits: how many answers and ended sessions are remembered, and how long peers may be
  ///     away.
  ///   - now: the time of streams that are set aside while nothing else has a time.
  package init(
    _ address: PostgreSQLAddress, access: String? = nil, retention: Duration, limits: Limits,
    at now: Instant
  ) throws(JournalError) {
    do {
      let connection = try PostgreSQLConnection(address)
      try PostgreSQLMigration.check(connection, address)
      try connection.runScript(PostgreSQLSQL.settings)
      try connection.runScript(PostgreSQLSQL.lock)
      let owner = Int64.random(in: 1 ... .max)
      let before = MonotonicClock.read()
      let groupTime = try connection.run(PostgreSQLSQL.groupTime)
      let after = MonotonicClock.read()
      let node = try connection.run(PostgreSQLSQL.takeOver, [.number(owner)])
      pulse = try PostgreSQLPulse(address, of: owner, access: access)
      let answersPerDevice = max(1, limits.rememberedAnswers)
      let reading = PostgreSQLReading(
        connection, limits: limits, answersPerDevice: answersPerDevice, at: now)
      var (contents, live) = try reading.readAll()
      if groupTime.count > 0, let boot = BootID.read() {
        contents.moveClock(
          to: boot, at: before + (after - before) / 2,
          showing: Instant(microseconds: try groupTime.number(0, 0)))
      }
      self.contents = contents
      self.access = PostgreSQLAccess(
        address: address, owner: owner, connection: connection,
        incarnation: try node.number(0, 0),
        lastBatch: try node.number(0, 1), lastStream: try node.number(0, 2), live: live,
        size: Int(try connection.run(PostgreSQLSQL.size).number(0, 0)), retention: retention,
        answersPerDevice: answersPerDevice)
    } catch {
      throw JournalError(error, address)
    }
  }

  /// Ties the group's time to this boot of the machine.
  package func tie(_ clock: ClockTie) throws(JournalError) {
    do {
      try access.connection.setClock(clock)
    } catch {
      throw JournalError(error, access.address)
    }
  }

  /// Tells the servers that stand by where this one takes links.
  package func advertise(_ link: String) { pulse.advertise(link) }

  /// Gives the journal back unused, and blocks meanwhile; for a server that fails at its start.
  ///
  /// Nothing uses libpq afterwards: the end of the process frees what its libraries share, and a
  /// thread that connects meanwhile crashes.
  package func close() {
    pulse.stop()
    // Without an answer, the others notice by the silence.
    _ = Result { try access.connection.run(PostgreSQLSQL.giveBack, [.number(access.owner)]) }
    access.connection.close()
  }

  /// The secrets that the servers of the journal share, by name.
  package func secrets() throws(JournalError) -> [String: [UInt8]] {
    do {
      return try StoredSecrets(over: access.connection, at: access.address).decoded()
    } catch {
      throw JournalError(error, access.address)
    }
  }

  /// Keeps a secret for the other servers of the journal; the first one of a name stays.
  package func add(secret: [UInt8], named name: String) throws(JournalError) {
    try keep(secret, name, PostgreSQLSQL.addSecret)
  }

  /// Puts another secret in place of the one that the servers of the journal have shared.
  package func replace(secret: [UInt8], named name: String) throws(JournalError) {
    try keep(secret, name, PostgreSQLSQL.replaceSecret)
  }

  private func keep(
    _ secret: [UInt8], _ name: String, _ statement: String
  ) throws(JournalError) {
    do {
      try access.connection.run(
        statement, [.text(name), .text(Base64URL.text(of: secret))])
    } catch {
      throw JournalError(error, access.address)
    }
  }

  /// How long after a failure it is seen whether the server takes writes again.
  private static let retryPause = Duration.milliseconds(250)

  /// How long a server that stops waits for its last batch and for giving the journal back.
  ///
  /// As long as a database that is restarted takes to come back; one that hangs takes for ever.
  private static let closingPatience = Duration.seconds(5)

  /// Continues the journal.
  ///
  /// What comes while a batch is under way is the next batch, so that batches need no pause.
  ///
  /// - Throws: the system's error if no thread can be started.
  package func journal(on loop: EventLoop) throws(UVError) -> StoredJournal {
    let journal = try StoredJournal(
      after: contents, size: access.size, every: .zero, retryingAfter: Self.retryPause,
      closingWithin: Self.closingPatience, on: loop
    ) { [access, pulse] in PostgreSQLStore(access, pulse, report: $0) }
    pulse.onReachability(journal.onReachability)
    pulse.onClockDifference(journal.onClockDifference)
    return journal
  }
}

extension JournalContents {
  /// Goes on with the group's time on another machine, by what the last server's clock shows now.
  ///
  /// On the same boot of the same machine, the tie is exact, and stays.
  fileprivate mutating func moveClock(to boot: String, at host: HostTime, showing instant: Instant)
  {
    guard clock?.boot != boot else { return }
    clock = ClockTie(boot: boot, host: host, instant: max(instant, latest ?? instant))
  }
}

/// The secrets that the servers of a journal share, as the database has them.
struct StoredSecrets: Equatable, Sendable {
  private var texts: [String: String] = [:]
  private let address: PostgreSQLAddress

  /// Reads them.
  init(
    over connection: PostgreSQLConnection, at address: PostgreSQLAddress
  ) throws(PostgreSQLError) {
    self.address = address
    let rows = try connection.run(PostgreSQLSQL.secrets)
    for row in 0..<rows.count {
      let (name, text) = (try rows.text(row, 0), try rows.text(row, 1))
      texts[name] = text
    }
  }

  /// Their bytes, by name.
  func decoded() throws(JournalError) -> [String: [UInt8]] {
    var secrets: [String: [UInt8]] = [:]
    for (name, text) in texts {
      guard let bytes = Base64URL.bytes(of: text) else {
        throw JournalError(Damage("the secret \(name) is not in Base64URL"), address)
      }
      secrets[name] = bytes
    }
    return secrets
  }
}

extension PostgreSQLConnection {
  /// Ties the group's time to a boot of a machine.
  func setClock(_ clock: ClockTie) throws(PostgreSQLError) {
    try run(
      PostgreSQLSQL.setClock,
      [.text(clock.boot), .number(clock.host.microseconds), .number(clock.instant.microseconds)])
  }
}

/// A journal in PostgreSQL for its writer.
struct PostgreSQLAccess: Sendable {
  let address: PostgreSQLAddress
  /// Identifies this server among those that ever had the journal.
  let owner: Int64
  /// Holds the writer's lock.
  let connection: PostgreSQLConnection
  let incarnation: Int64
  /// The number of the last batch that was kept.
  let lastBatch: Int64
  /// The largest id of any stream.
  let lastStream: Int64
  let live: [LiveStream]
  let size: Int
  /// How long events and ended streams are kept once a snapshot or their end made them history.
  let retention: Duration
  /// How many answers are remembered for each device.
  let answersPerDevice: Int

  /// Why this server writes nothing any more, once another one has the journal.
  var replacement: String { "another server has taken the journal \(address) over" }

  /// Why this server writes nothing any more, once the database lacks what it has kept.
  var divergence: String {
    "after a failover or a restored backup, the journal \(address) lacks changes that this server "
      + "has made"
  }

  /// Connects again.
  ///
  /// What is left of the old connection is ended, and its last batch is kept or never will be.
  ///
  /// - Returns: the connection, and the incarnation from now on.
  /// - Throws: `served` if another server has taken the journal over; `unavailable`.
  func reconnect() throws(JournalError) -> (PostgreSQLConnection, incarnation: Int64) {
    do {
      let connection = try PostgreSQLConnection(address)
      try connection.runScript(PostgreSQLSQL.settings)
      let resumed = try connection.run(PostgreSQLSQL.resume, [.number(owner)])
      guard resumed.count == 1 else {
        throw JournalError.served(path: address.description)
      }
      try connection.run(PostgreSQLSQL.endHolders)
      try connection.runScript(PostgreSQLSQL.lock)
      return (connection, try resumed.number(0, 0))
    } catch let error as PostgreSQLError {
      // Also if the old connection still has the lock.
      throw .unavailable(path: address.description, reason: error.description)
    } catch {
      throw JournalError(error, address)
    }
  }
}

/// Makes the tables of a journal in PostgreSQL, and brings older ones up to date.
package enum PostgreSQLMigration {
  /// Makes the tables, or brings them to this build's version, all or nothing.
  ///
  /// - Returns: the version before, which is 0 without tables, and the version now.
  /// - Throws: `newer` if a newer Matinee has migrated them; `unavailable`.
  package static func run(
    _ address: PostgreSQLAddress
  ) throws(JournalError) -> (before: Int, now: Int) {
    do {
      let before = try PostgreSQLSchema.migrate(try PostgreSQLConnection(address))
      guard before <= PostgreSQLSchema.currentVersion else {
        throw JournalError.newer(path: address.description)
      }
      return (before, PostgreSQLSchema.currentVersion)
    } catch {
      throw JournalError(error, address)
    }
  }

  /// Checks that the tables are of this build's version.
  static func check(
    _ connection: PostgreSQLConnection, _ address: PostgreSQLAddress
  ) throws {
    let version = try PostgreSQLSchema.version(of: connection)
    if version > PostgreSQLSchema.currentVersion { throw JournalError.newer(path: "\(address)") }
    if version < PostgreSQLSchema.currentVersion {
      throw JournalError.unmigrated(path: "\(address)", isNew: version == 0)
    }
  }
}

extension JournalError {
  /// Translates an error of a journal in PostgreSQL.
  init(_ error: any Error, _ address: PostgreSQLAddress) {
    switch error {
    case let error as JournalError: self = error
    case is NewerRecord: self = .newer(path: address.description)
    case let error as Damage:
      self = .unreadable(path: address.description, reason: error.description)
    // lock_not_available: somebody else has the writer's lock.
    case let error as PostgreSQLError where error.state == "55P03":
      self = .served(path: address.description)
    case let error as PostgreSQLError where Self.gaps.contains(error.state):
      self = .incomplete(path: address.description)
    default: self = .unavailable(path: address.description, reason: "\(error)")
    }
  }

  /// The codes of a row, a table and a function that are missing beside the version's table.
  private static let gaps = [PostgreSQLError.missingRow.state, "42P01", "42883"]
}

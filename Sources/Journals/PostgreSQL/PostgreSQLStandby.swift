package import EventLoops
package import PostgreSQL
import Vocabulary

/// Waits until the server that has a journal gives it back or dies, and then takes it.
///
/// Confined to its loop, which must have nothing else to do meanwhile, because looking blocks.
package final class PostgreSQLStandby {
  /// What it tells of.
  package enum Notice: Equatable, Sendable {
    /// Another server has the journal.
    case waiting
    /// The database does not answer.
    case failing(String)
    /// The journal is taken, from a server that died rather than one that gave it back; it waits no
    /// more.
    case taken(fromDead: Bool)
  }

  private let address: PostgreSQLAddress
  private let owner = Int64.random(in: 1 ... .max)
  private let loop: EventLoop
  private let tell: (Notice) -> Void
  private var timer: LoopTimer?
  private var connection: PostgreSQLConnection?
  private var watch = PulseWatch()
  private var lookedAt: HostTime
  private var lastNotice: Notice?

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - address: the database, whose tables ``PostgreSQLMigration`` has made.
  ///   - loop: the loop on which it looks.
  ///   - tell: receives notices, each once until another one comes.
  /// - Throws: `unmigrated`, `newer` or `unavailable`.
  package init(
    for address: PostgreSQLAddress, on loop: EventLoop, _ tell: @escaping (Notice) -> Void
  ) throws(JournalError) {
    self.address = address
    self.loop = loop
    self.tell = tell
    lookedAt = loop.now
    do {
      let connection = try PostgreSQLConnection(address)
      try PostgreSQLMigration.check(connection, address)
      self.connection = connection
    } catch {
      throw JournalError(error, address)
    }
    timer = LoopTimer(on: loop) { [weak self] in self?.look() }
    timer?.fire(at: loop.now)
  }

  /// Stops waiting; a second call does nothing.
  package func close() {
    timer?.close()
    timer = nil
    connection?.close()
    connection = nil
  }

  private func look() {
    do throws(PostgreSQLError) {
      if try hasTaken() { return close() }
      notify(.waiting)
    } catch {
      watch.restart()
      connection?.close()
      connection = nil
      notify(.failing(error.description))
    }
    timer?.fire(at: loop.now + PulseWatch.pause)
  }

  private func hasTaken() throws(PostgreSQLError) -> Bool {
    let connection = try usable()
    let rows = try connection.run(PostgreSQLSQL.look, preparedAs: "look")
    let look = PulseWatch.Look(
      owner: try rows.number(0, 0), beat: try rows.number(0, 1),
      isHeld: try rows.number(0, 2) > 0)
    let now = loop.now
    let verdict = watch.take(look, after: now - lookedAt)
    lookedAt = now
    guard verdict != .alive else { return false }
    let taken = try connection.run(
      PostgreSQLSQL.take, [.number(owner), .number(look.owner), .number(look.beat)])
    guard taken.count == 1 else { return false }
    // A frozen server still has the lock.
    try connection.run(PostgreSQLSQL.endHolders)
    notify(.taken(fromDead: verdict == .dead))
    return true
  }

  private func usable() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    let connection = try PostgreSQLConnection(address)
    self.connection = connection
    return connection
  }

  private func notify(_ notice: Notice) {
    guard notice != lastNotice else { return }
    lastNotice = notice
    tell(notice)
  }
}

@available(*, unavailable)
extension PostgreSQLStandby: Sendable {}

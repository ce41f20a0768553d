import Clusters
package import EventLoops
package import PostgreSQL
import Vocabulary

/// Waits until the server that has a journal gives it back or dies, and then takes it.
///
/// It looks on a thread of its own, because looking blocks. Confined to its loop's thread.
package final class PostgreSQLStandby {
  /// What it tells of.
  package enum Notice: Equatable, Sendable {
    /// Another server has the journal; `nil` if it takes no links, or not yet.
    case waiting(for: JournalHolder?)
    /// How people prove who they are at the server that has the journal, if it says so.
    case access(String)
    /// The database does not answer.
    case failing(String)
    /// Nobody has the journal any more, but the last server let people in otherwise than this one
    /// would, which therefore does not take it.
    case barred
    /// The journal is taken, from a server that died rather than one that gave it back; it waits no
    /// more.
    case taken(fromDead: Bool)
  }

  private let tell: (Notice) -> Void
  private var thread: LoopThread<Lookout>?
  private var mailbox: LoopMailbox<PostgreSQLStandby>?

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - address: the database, whose tables ``PostgreSQLMigration`` has made.
  ///   - access: how people would prove who they are at this server; `nil` takes the journal from any
  ///     other one.
  ///   - loop: the loop on which it tells.
  ///   - tell: receives notices, each once until another one comes.
  /// - Throws: `unmigrated`, `newer` or `unavailable`; the system's error if no thread can be
  ///   started.
  package init(
    for address: PostgreSQLAddress, access: String? = nil, on loop: EventLoop,
    _ tell: @escaping (Notice) -> Void
  ) throws {
    self.tell = tell
    let connection: PostgreSQLConnection
    do {
      connection = try PostgreSQLConnection(address)
      try PostgreSQLMigration.check(connection, address)
    } catch {
      throw JournalError(error, address)
    }
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    thread = try LoopThread { loop in
      Lookout(for: address, access: access, over: connection, on: loop) { notice in
        mailbox.post { $0.take(notice) }
      }
    }
  }

  private func take(_ notice: Notice) {
    if case .taken = notice { close() }
    tell(notice)
  }

  /// Stops waiting, and does not wait for a look that is under way; a second call does nothing.
  package func close() {
    thread?.stop()
    mailbox?.close()
    mailbox = nil
  }

  /// Stops waiting, and waits a moment for a look that is under way; the loop stands meanwhile.
  ///
  /// For the end of the process, which frees what libpq uses: a look that goes on crashes. One that
  /// hangs waits for the database, and does no harm.
  package func finish() {
    close()
    _ = thread?.join(within: Self.farewell)
    thread = nil
  }

  /// Longer than the work of a look apart from its waiting for the database.
  private static let farewell = Duration.milliseconds(500)
}

@available(*, unavailable)
extension PostgreSQLStandby: Sendable {}

/// The server that has a journal and takes links, for a server in front of it.
package struct JournalHolder: Equatable, Sendable {
  /// Where it takes links.
  package let link: String
  fileprivate let stored: StoredSecrets

  /// The secrets that the servers of the journal share, by name.
  ///
  /// - Throws: `unreadable` if one is not what a server has kept there.
  package func secrets() throws(JournalError) -> [String: [UInt8]] { try stored.decoded() }
}

/// Looks who holds the journal.
///
/// Confined to a loop of its own, on which nothing else runs, so that it may block.
private final class Lookout {
  private let address: PostgreSQLAddress
  private let owner = Int64.random(in: 1 ... .max)
  private let loop: EventLoop
  private let tell: (PostgreSQLStandby.Notice) -> Void
  private var timer: LoopTimer?
  private var connection: PostgreSQLConnection?
  private var watch: PulseWatch
  private var lookedAt: HostTime
  /// The server that takes links, as it was found last.
  private var holder: JournalHolder?
  private var lastNotice: PostgreSQLStandby.Notice?
  /// What was told last of the access at the server that has the journal.
  private var toldAccess: String?

  init(
    for address: PostgreSQLAddress, access: String?, over connection: PostgreSQLConnection,
    on loop: EventLoop, _ tell: @escaping (PostgreSQLStandby.Notice) -> Void
  ) {
    watch = PulseWatch(access: access)
    (self.address, self.connection, self.loop, self.tell) = (address, connection, loop, tell)
    lookedAt = loop.now
    timer = LoopTimer(on: loop) { [unowned self] in look() }
    timer?.fire(at: loop.now)
  }

  private func look() {
    do throws(PostgreSQLError) {
      if try hasTaken() { return timer?.close() ?? () }
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
    let (link, access) = (try rows.text(0, 3), try rows.text(0, 4))
    let look = PulseWatch.Look(
      owner: try rows.number(0, 0), beat: try rows.number(0, 1),
      isHeld: try rows.number(0, 2) > 0, access: access.isEmpty ? nil : access)
    let now = loop.now
    let verdict = watch.take(look, after: now - lookedAt)
    lookedAt = now
    switch verdict {
    case .alive:
      guard look.owner != 0 else { return false }
      if let access = look.access, access != toldAccess {
        toldAccess = access
        tell(.access(access))
      }
      tellHolder(at: link, over: connection)
      return false
    case .barred:
      notify(.barred)
      return false
    case .free, .dead: return try take(after: look, verdict, over: connection)
    }
  }

  /// Takes the journal over, unless its pulse has gone on since the look.
  private func take(
    after look: PulseWatch.Look, _ verdict: PulseWatch.Verdict,
    over connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Bool {
    let taken = try connection.run(
      PostgreSQLSQL.take, [.number(owner), .number(look.owner), .number(look.beat)])
    guard taken.count == 1 else { return false }
    do throws(PostgreSQLError) {
      // A frozen server still has the lock.
      try connection.run(PostgreSQLSQL.endHolders)
    } catch {
      // PostgreSQL warns about one that ends by itself meanwhile, but the journal is taken already.
      guard error.outcome == .unknown, connection.isOpen else { throw error }
    }
    notify(.taken(fromDead: verdict == .dead))
    return true
  }

  /// The server that takes links there; `nil` for nowhere.
  ///
  /// The secrets are read with the link, on this thread, because reading blocks. A link that was
  /// told already has its secrets told, too.
  private func holder(
    at link: String, over connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> JournalHolder? {
    guard !link.isEmpty else { return nil }
    if let holder, holder.link == link { return holder }
    let found = JournalHolder(link: link, stored: try StoredSecrets(over: connection, at: address))
    holder = found
    return found
  }

  /// Tells who holds the journal.
  ///
  /// A failure to read its secrets does not restart the watch for its silence.
  private func tellHolder(at link: String, over connection: PostgreSQLConnection) {
    do throws(PostgreSQLError) {
      notify(.waiting(for: try holder(at: link, over: connection)))
    } catch {
      notify(.failing(error.description))
      guard !connection.isOpen else { return }
      connection.close()
      self.connection = nil
    }
  }

  private func usable() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    let connection = try PostgreSQLConnection(address)
    self.connection = connection
    return connection
  }

  private func notify(_ notice: PostgreSQLStandby.Notice) {
    guard notice != lastNotice else { return }
    lastNotice = notice
    tell(notice)
  }
}

@available(*, unavailable)
extension Lookout: Sendable {}

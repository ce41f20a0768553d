import Clusters
import EventLoops
import PostgreSQL
import Vocabulary

/// Shows the servers that stand by that this one lives, on a thread and a connection of its own.
///
/// The writer's connection would not do: a commit may wait for a standby of the database for
/// minutes. It ends with this object.
final class PostgreSQLPulse: Sendable {
  private let thread: LoopThread<Heart>

  /// Starts to beat.
  ///
  /// - Parameters:
  ///   - address: the database.
  ///   - owner: this server, which has just taken the journal.
  ///   - access: how people prove who they are here; `nil` does not say so.
  /// - Throws: the system's error if no thread can be started.
  init(
    _ address: PostgreSQLAddress, of owner: Int64, access: String?
  ) throws(UVError) {
    thread = try LoopThread { loop in Heart(address, owner, access, on: loop) }
  }

  /// For a journal that is taken and then cannot be read: the process may end next, and frees what
  /// libpq uses on this thread.
  deinit {
    thread.mailbox.post { $0.stop() }
    thread.stop()
    _ = thread.join(within: Self.farewell)
  }

  /// As long as a connection may take (`connect_timeout`).
  private static let farewell = Duration.seconds(3)

  /// Calls `body` on the pulse's thread if another server takes the journal.
  func onReplacement(_ body: @escaping @Sendable () -> Void) {
    thread.mailbox.post { $0.onReplacement = body }
  }

  /// Calls `body` on the pulse's thread when the database stops to answer, with the reason, and when
  /// it answers again.
  func onReachability(_ body: @escaping @Sendable (_ reason: String?) -> Void) {
    thread.mailbox.post { $0.onReachability = body }
  }

  /// Calls `body` on the pulse's thread when the database's time of day and this machine's begin to
  /// differ, with how far the database's is ahead, and when they agree again.
  func onClockDifference(_ body: @escaping @Sendable (_ difference: Duration?) -> Void) {
    thread.mailbox.post { $0.onClockDifference = body }
  }

  /// Tells the servers that stand by where this one takes links.
  func advertise(_ link: String) {
    thread.mailbox.post { $0.advertise(link) }
  }

  /// Stops, and waits until the last beat is over.
  func stop() {
    thread.mailbox.post { $0.stop() }
    thread.stop()
    thread.join()
  }
}

/// What beats; confined to the pulse's loop, on which nothing else runs, so that it may block there.
private final class Heart {
  /// Called when another server has the journal, or at once if that is known already.
  var onReplacement: (@Sendable () -> Void)? {
    didSet { if isReplaced { onReplacement?() } }
  }
  private var isReplaced = false
  /// Called when beats begin to fail, or go on.
  var onReachability: (@Sendable (_ reason: String?) -> Void)? {
    didSet { if let flaw { onReachability?(flaw) } }
  }
  /// Why the last beat failed; `nil` if it did not.
  private var flaw: String? {
    didSet { if (flaw == nil) != (oldValue == nil) { onReachability?(flaw) } }
  }
  /// Called when the clocks begin to differ, or agree again.
  var onClockDifference: (@Sendable (_ difference: Duration?) -> Void)? {
    didSet { if let difference = clocks.difference { onClockDifference?(difference) } }
  }
  private var clocks = ClockWatch()
  /// Where this server takes links; empty for nowhere.
  private var link = ""
  private let address: PostgreSQLAddress
  private let owner: Int64
  private let access: String?
  private let boot = BootID.read()
  private let loop: EventLoop
  private var connection: PostgreSQLConnection?
  private var timer: LoopTimer?

  init(_ address: PostgreSQLAddress, _ owner: Int64, _ access: String?, on loop: EventLoop) {
    self.address = address
    self.owner = owner
    self.access = access
    self.loop = loop
    timer = LoopTimer(on: loop) { [unowned self] in beat() }
    timer?.fire(at: loop.now)
  }

  func advertise(_ link: String) {
    self.link = link
    timer?.fire(at: loop.now)
  }

  func stop() {
    timer?.close()
    timer = nil
    connection?.close()
  }

  private func beat() {
    // The database's clock ties this machine's to that of a server that may come after it.
    let values: [PostgreSQLValue] = [
      .number(owner), .text(boot ?? ""), .number(loop.now.microseconds), .text(link),
      .text(access ?? ""),
    ]
    do throws(PostgreSQLError) {
      let connection = try usable()
      let start = MonotonicClock.read()
      let beats = try connection.run(PostgreSQLSQL.beat, values, preparedAs: "beat")
      let (end, roundTrip) = (WallClock.read(), MonotonicClock.read() - start)
      guard beats.count == 1 else {
        isReplaced = true
        onReplacement?()
        return stop()
      }
      let theirs = Instant(microseconds: try beats.number(0, 0))
      flaw = nil
      if clocks.take(theirs, at: end, after: roundTrip) { onClockDifference?(clocks.difference) }
    } catch {
      // The next beat connects anew.
      connection?.close()
      connection = nil
      flaw = error.description
    }
    timer?.fire(at: loop.now + PulseWatch.pause)
  }

  private func usable() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    let connection = try PostgreSQLConnection(address)
    // A beat that a crash of the database undoes does no harm.
    try connection.runScript("SET synchronous_commit = off")
    self.connection = connection
    return connection
  }
}

@available(*, unavailable)
extension Heart: Sendable {}

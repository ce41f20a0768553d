import EventLoops
import PostgreSQL
import Vocabulary

/// Writes a journal in PostgreSQL, one call of the function `append` per batch.
///
/// Confined to the store's thread. The answer to a call can get lost. The batch is then unsettled:
/// the store connects anew, raises its incarnation, which waits for what is left of the old call,
/// and sends the batch again under its number. Until it is settled, later turns fail, and what waits
/// for it is told of the doubt.
final class PostgreSQLStore {
  private let access: PostgreSQLAccess
  private let pulse: PostgreSQLPulse
  private var connection: PostgreSQLConnection?
  private var incarnation: Int64
  private var lastBatch: Int64
  private var streams: LiveStreams
  private var unsettled: (batch: PostgreSQLBatch, turns: [Int])?
  private var size: Int
  /// When the size was last asked for; `nil` if it is to be asked for after the next batch.
  private var sizedAt: HostTime?
  /// Why this server may not write any more: another one does, or the database has lost what this
  /// one knows of.
  private var end: String?
  private let report: @Sendable (JournalReport) -> Void

  /// How long a size holds; asking for it takes about a millisecond.
  private static let sizeValidity = Duration.seconds(10)

  /// - Parameters:
  ///   - pulse: shows that this server lives, until the store is finished.
  ///   - report: receives the outcome of each batch, and that this server may not write any more.
  init(
    _ access: PostgreSQLAccess, _ pulse: PostgreSQLPulse,
    report: @escaping @Sendable (JournalReport) -> Void
  ) {
    self.access = access
    self.pulse = pulse
    self.report = report
    connection = access.connection
    incarnation = access.incarnation
    lastBatch = access.lastBatch
    streams = LiveStreams(access.live, lastID: access.lastStream)
    size = access.size
    sizedAt = MonotonicClock.read()
    let (size, reason) = (size, access.replacement)
    pulse.onReplacement {
      report(JournalReport(turns: [], failure: reason, size: size, end: reason))
    }
  }

  /// What became of a batch.
  private enum Outcome {
    case kept
    /// Nothing of it is kept.
    case refused(String)
    case unknown(String)
  }
}

@available(*, unavailable)
extension PostgreSQLStore: Sendable {}

extension PostgreSQLStore: BatchConsumer {
  func consume(_ turns: [JournalTurn]) {
    let numbers = turns.map(\.number)
    let entries = turns.flatMap(\.entries)
    if let reason = end ?? obstacle() {
      streams.postponeEnds(of: entries)
      tell(numbers, reason)
      return
    }
    lastBatch += 1
    let batch = PostgreSQLBatch(entries, &streams, answersPerDevice: access.answersPerDevice)
    // A turn without entries asks for the size.
    if turns.contains(where: \.entries.isEmpty) { sizedAt = nil }
    conclude(batch, numbers, keep(batch))
    // Mostly only the connection is gone.
    if unsettled != nil { _ = obstacle() }
  }

  func finish() {
    pulse.stop()
    // Without an answer, or with another server there, nothing is left to do.
    if let connection { _ = Result { try giveBack(connection) } }
    disconnect()
  }

  private func giveBack(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run(PostgreSQLSQL.giveBack, [.number(access.owner)])
  }

  /// Closes the connection, to which also the opening refers.
  private func disconnect() {
    connection?.close()
    connection = nil
  }

  /// Connects and settles what is unsettled; what prevents it, or `nil`.
  private func obstacle() -> String? {
    if connection?.isOpen != true {
      disconnect()
      do throws(JournalError) {
        (connection, incarnation) = try access.reconnect()
      } catch {
        if case .served = error { stop(access.replacement) }
        return end ?? "\(error)"
      }
    }
    guard let (batch, turns) = unsettled else { return nil }
    unsettled = nil
    conclude(batch, turns, keep(batch))
    return unsettled == nil ? end : "PostgreSQL does not answer"
  }

  /// Writes nothing from now on.
  ///
  /// Whether the other server has found the unsettled batch is not known here. Whoever repeats a
  /// request there gets its answer if it was kept.
  private func stop(_ reason: String) {
    end = reason
    guard let (batch, turns) = unsettled else { return }
    unsettled = nil
    conclude(batch, turns, .refused(reason))
  }

  private func keep(_ batch: PostgreSQLBatch) -> Outcome {
    guard let connection else { return .unknown("there is no connection") }
    let values = batch.values(lastBatch, by: incarnation, retention: access.retention)
    do throws(PostgreSQLError) {
      let answer = try connection.run(PostgreSQLSQL.append, values, preparedAs: "append")
      guard try answer.number(0, 0) == 0 else {
        end = access.replacement
        return .refused(access.replacement)
      }
      return .kept
    } catch {
      if PostgreSQLSchema.divergences.contains(error.state) {
        // No later batch would fit either: what this server knows is of a history that is no more.
        end = access.divergence
        return .refused(access.divergence)
      }
      guard error.outcome == .unknown else { return .refused(error.description) }
      // A server that doubts its answer is asked again on a connection that begins anew.
      disconnect()
      return .unknown(error.description)
    }
  }

  private func conclude(_ batch: PostgreSQLBatch, _ turns: [Int], _ outcome: Outcome) {
    switch outcome {
    case .kept:
      streams.keep()
      tell(turns, nil)
    case .refused(let reason):
      streams.undo(batch.entries)
      tell(turns, reason)
    case .unknown(let reason):
      unsettled = (batch, turns)
      report(
        JournalReport(turns: [], unknown: turns, failure: reason, size: size, end: end))
    }
  }

  private func tell(_ turns: [Int], _ failure: String?) {
    if failure == nil { measure() }
    report(JournalReport(turns: turns, failure: failure, size: size, end: end))
  }

  private func measure() {
    let now = MonotonicClock.read()
    guard let connection else { return }
    if let sizedAt, now - sizedAt < Self.sizeValidity { return }
    sizedAt = now
    do throws(PostgreSQLError) {
      size = Int(try connection.run(PostgreSQLSQL.size).number(0, 0))
    } catch {
      // The next batch says what is wrong.
    }
  }
}

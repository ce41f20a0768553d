import GRDB
import Vocabulary

/// Rows of a journal's file as values.
///
/// Decoding a row checks its sum.
enum JournalRow {
  /// An aggregate's life.
  struct Stream: Equatable, Sendable {
    let id: Int64
    let kind: String
    let name: String
    let began: Int64
    let ended: Int64?

    var isOfDevice: Bool { kind == AggregateKind.device.rawValue }

    init(id: Int64, kind: String, name: String, began: Int64, ended: Int64?) {
      (self.id, self.kind, self.name) = (id, kind, name)
      (self.began, self.ended) = (began, ended)
    }

    /// Decodes the columns `id, kind, name, began, ended, sum` at the start of a row.
    init(_ row: Row) throws(Damage) {
      id = try row.number(0)
      kind = try row.text(1)
      name = try row.text(2)
      began = try row.number(3)
      ended = try row.optionalNumber(4)
      let sum = RowSum.stream(id, kind, name, began: began, ended: ended)
      guard try row.number(5) == sum else { throw Damage("the row of stream \(id) has changed") }
    }
  }

  /// An event, or a snapshot taken after the event of that number.
  struct Record: Equatable, Sendable {
    let seq: Int64
    let at: Int64
    let format: Int
    let body: String

    init(seq: Int64, at: Int64, format: Int, body: String) {
      (self.seq, self.at, self.format, self.body) = (seq, at, format, body)
    }

    /// Decodes the columns `seq, at, format, body, sum`, starting at `column`.
    init(_ row: Row, of stream: Int64, from column: Int = 0) throws(Damage) {
      seq = try row.number(column)
      at = try row.number(column + 1)
      let format = try row.number(column + 2)
      body = try row.text(column + 3)
      let sum = RowSum.record(stream, seq, at: at, format: format, body)
      guard try row.number(column + 4) == sum else {
        throw Damage("a row of stream \(stream) has changed")
      }
      self.format = Int(clamping: format)
    }
  }

  /// Decodes the columns `boot, host, instant, sum`.
  static func clock(_ row: Row) throws(Damage) -> (boot: String, host: Int64, instant: Int64) {
    let (boot, host, instant) = (try row.text(0), try row.number(1), try row.number(2))
    guard try row.number(3) == RowSum.clock(boot, host: host, instant: instant) else {
      throw Damage("the row of the clock has changed")
    }
    return (boot, host, instant)
  }

  /// The outcome of a device's request.
  struct Answer: Equatable, Sendable {
    /// The stream of the device.
    let device: Int64
    /// The slot in the device's ring.
    let slot: Int64
    let number: Int64
    let request: Int64
    let format: Int
    let body: String

    init(
      of device: Int64, at slot: Int64, _ number: Int64, to request: Int64,
      format: Int = JournalFormat.current, _ body: String
    ) {
      self.device = device
      self.slot = slot
      self.number = number
      self.request = request
      self.format = format
      self.body = body
    }

    /// Decodes the columns `stream, slot, number, request, format, body, sum`, starting at
    /// `column`.
    init(_ row: Row, from column: Int = 0) throws(Damage) {
      device = try row.number(column)
      slot = try row.number(column + 1)
      number = try row.number(column + 2)
      request = try row.number(column + 3)
      let format = try row.number(column + 4)
      body = try row.text(column + 5)
      let sum = RowSum.answer(device, number, request, format: format, body)
      guard try row.number(column + 6) == sum else {
        throw Damage("an answer of stream \(device) has changed")
      }
      self.format = Int(clamping: format)
    }

    /// Decodes the answer in an event's row, whose columns start at `column`; `nil` if there is
    /// none.
    init?(ofEvent row: Row, from column: Int) throws(Damage) {
      guard !row.hasNull(atIndex: column) else { return nil }
      try self.init(row, from: column)
    }

    var sum: Int64 { RowSum.answer(device, number, request, format: Int64(format), body) }
  }
}

// MARK: Writing

extension Database {
  func insert(_ stream: Int64, _ kind: String, _ name: String, began: Int64) throws {
    let sum = RowSum.stream(stream, kind, name, began: began, ended: nil)
    try cachedStatement(sql: JournalSQL.beginStream).execute(arguments: [
      stream, kind, name, began, sum,
    ])
  }

  /// Ends a stream, and sets its kind, which may be a new one.
  func end(_ stream: Int64, _ kind: String, _ name: String, began: Int64, at ended: Int64) throws {
    let sum = RowSum.stream(stream, kind, name, began: began, ended: ended)
    try cachedStatement(sql: JournalSQL.endStream).execute(arguments: [kind, ended, sum, stream])
  }

  func insertEvent(
    _ seq: Int64, of stream: Int64, at: Int64, format: Int, _ body: String
  ) throws {
    let sum = RowSum.record(stream, seq, at: at, format: Int64(format), body)
    try cachedStatement(sql: JournalSQL.insertEvent).execute(arguments: [
      stream, seq, at, format, body, sum,
    ])
  }

  /// Inserts an event together with the answer to its request.
  func insertEvent(
    _ seq: Int64, of stream: Int64, at: Int64, format: Int, _ body: String,
    with answer: JournalRow.Answer
  ) throws {
    let sum = RowSum.record(stream, seq, at: at, format: Int64(format), body)
    let upper = (answer.sum + answer.slot) << 32
    let statement = try cachedStatement(sql: JournalSQL.insertAnsweredEvent)
    // The most frequent statement. Its argument count is fixed, so the check is skipped.
    statement.setUncheckedArguments([
      stream, seq, at, format, body, upper | sum, answer.device, answer.slot, answer.number,
      answer.request, answer.body,
    ])
    try statement.execute()
  }

  func replaceSnapshot(
    _ seq: Int64, of stream: Int64, at: Int64, format: Int, _ body: String
  ) throws {
    let sum = RowSum.record(stream, seq, at: at, format: Int64(format), body)
    try cachedStatement(sql: JournalSQL.replaceSnapshot).execute(arguments: [
      stream, seq, at, format, body, sum,
    ])
  }

  /// Writes an answer into its slot of the device's ring.
  func replaceAnswer(_ answer: JournalRow.Answer) throws {
    try cachedStatement(sql: JournalSQL.replaceAnswer).execute(arguments: [
      answer.device, answer.slot, answer.number, answer.request, answer.format, answer.body,
      answer.sum,
    ])
  }

  /// Adds an answer to `recent`, from where it later moves into its device's ring.
  ///
  /// The slot decides which older answer is replaced, so the upper half of the sum repeats it.
  func insertRecentAnswer(_ answer: JournalRow.Answer) throws {
    try cachedStatement(sql: JournalSQL.insertRecentAnswer).execute(arguments: [
      answer.device, answer.slot, answer.number, answer.request, answer.format, answer.body,
      answer.slot << 32 | answer.sum,
    ])
  }

  /// Moves the recent answers into their rings.
  func fileRecentAnswers() throws {
    try cachedStatement(sql: JournalSQL.fileRecentAnswers).execute()
    try cachedStatement(sql: JournalSQL.deleteRecentAnswers).execute()
  }

  /// Copies the answers in a stream's events up to `seq` into their rings.
  ///
  /// Must run before the snapshot at `seq` is written, because the statement starts after the
  /// previous snapshot.
  func fileAnswers(of stream: Int64, through seq: Int64 = .max) throws {
    try cachedStatement(sql: JournalSQL.fileAnswersOfEvents).execute(arguments: [stream, seq])
  }

  func setClock(_ boot: String, host: Int64, instant: Int64) throws {
    let sum = RowSum.clock(boot, host: host, instant: instant)
    try execute(sql: JournalSQL.setClock, arguments: [boot, host, instant, sum])
  }

  /// Sets the number of live streams and the id of the latest stream.
  func setTally(_ live: Int, last: Int64) throws {
    try cachedStatement(sql: JournalSQL.setTally).execute(arguments: [live, last])
  }

  /// Adds a notice that `matinee journal inspect` shows.
  func addNotice(_ text: String, at instant: Instant) throws {
    try execute(sql: JournalSQL.addNotice, arguments: [instant.microseconds, text])
    try execute(sql: JournalSQL.deleteOldNotices)
  }
}

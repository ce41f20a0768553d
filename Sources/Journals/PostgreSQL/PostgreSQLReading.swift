import PostgreSQL
import Vocabulary

/// Reads a journal in PostgreSQL, whose writer this server is.
struct PostgreSQLReading: ~Copyable {
  private let connection: PostgreSQLConnection
  private let limits: Limits
  private let now: Instant
  private let answersPerDevice: Int
  private var read = ReadContents()

  /// Streams per part: large enough that starting the statements costs little, small enough that a
  /// part's rows fit into memory beside what is read already.
  private static let partSize = 512

  init(
    _ connection: PostgreSQLConnection, limits: Limits, answersPerDevice: Int, at now: Instant
  ) {
    self.connection = connection
    self.limits = limits
    self.answersPerDevice = answersPerDevice
    self.now = now
  }

  /// The contents, and the position of each live stream.
  ///
  /// A stream that this build cannot understand is set aside under another kind, which frees its
  /// name.
  ///
  /// - Throws: `PostgreSQLError`; ``Damage`` if rows are missing; ``NewerRecord`` if a newer
  ///   Matinee wrote to it.
  consuming func readAll() throws -> (JournalContents, [LiveStream]) {
    let streams = try liveStreams()
    let unreadable =
      try take(streams.filter { !$0.isOfDevice }, areDevices: false)
      + take(streams.filter(\.isOfDevice), areDevices: true)
    let endings = try connection.run(
      PostgreSQLSQL.endings, [.number(Int64(limits.tombstones))])
    for row in 0..<endings.count {
      try read.take(
        endOf: endings.text(row, 0), endings.text(row, 2), format: Int(endings.number(row, 1)))
    }
    if let end = try connection.run(PostgreSQLSQL.latestEnd).optionalNumber(0, 0) { read.note(end) }
    let clock = try connection.run(PostgreSQLSQL.clock)
    if clock.count > 0 {
      try read.take(clock: clock.text(0, 0), host: clock.number(0, 1), instant: clock.number(0, 2))
    }
    read.dropOutdated(limits)
    for (stream, error) in unreadable { try setAside(stream, error) }
    return (read.contents, read.live)
  }

  private func liveStreams() throws -> [JournalRow.Stream] {
    let rows = try connection.run(PostgreSQLSQL.liveStreams)
    return try (0..<rows.count).map { row in
      JournalRow.Stream(
        id: try rows.number(row, 0), kind: try rows.text(row, 1), name: try rows.text(row, 2),
        began: try rows.number(row, 3), ended: nil)
    }
  }

  /// Adds streams part by part; returns those that cannot be understood.
  private mutating func take(
    _ streams: [JournalRow.Stream], areDevices: Bool
  ) throws -> [(JournalRow.Stream, UnreadableRecord)] {
    let latest = try connection.run(PostgreSQLSQL.latestSnapshot).optionalNumber(0, 0)
    let extent = ReadingExtent(
      answersPerDevice: answersPerDevice, earlierEvents: limits.retainedEvents,
      start: ReadContents.earliestNews(after: latest, limits, at: now))
    // A device's answers are all in its ring.
    var reading = StreamReading(
      PostgreSQLRowsOfStreams(connection), extent, areDevices ? UnfiledAnswers() : nil)
    var unreadable: [(JournalRow.Stream, UnreadableRecord)] = []
    for start in stride(from: 0, to: streams.count, by: Self.partSize) {
      let part = streams[start..<min(start + Self.partSize, streams.count)]
      for (stream, result) in zip(part, try reading.read(part)) {
        do throws(UnreadableRecord) {
          read.take(try result.get(), of: stream)
        } catch {
          unreadable.append((stream, error))
        }
      }
    }
    return unreadable
  }

  private mutating func setAside(_ stream: JournalRow.Stream, _ error: UnreadableRecord) throws {
    let at = PostgreSQLValue.number((read.contents.latest ?? now).microseconds)
    try connection.run(PostgreSQLSQL.setAside, [.number(stream.id), at])
    let notice = read.noteUnreadable(stream, error)
    try connection.run(PostgreSQLSQL.addNotice, [at, .text(notice)])
    try connection.run(PostgreSQLSQL.deleteOldNotices)
  }
}

/// The rows of live streams in PostgreSQL: those of a range are read at once.
private struct PostgreSQLRowsOfStreams: LiveRows {
  private let connection: PostgreSQLConnection
  private var snapshots = Cursor()
  private var events = Cursor()
  private var answers = Cursor()

  init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  mutating func begin(
    _ streams: ClosedRange<Int64>, _ extent: ReadingExtent, ofDevices: Bool
  ) throws {
    let range: [PostgreSQLValue] = [.number(streams.lowerBound), .number(streams.upperBound)]
    events = Cursor(
      try connection.run(
        PostgreSQLSQL.liveEvents,
        range + [.number(extent.start.microseconds), .number(Int64(extent.earlierEvents))]))
    if ofDevices {
      answers = Cursor(try connection.run(PostgreSQLSQL.liveAnswers, range))
    } else {
      snapshots = Cursor(try connection.run(PostgreSQLSQL.liveSnapshots, range))
    }
  }

  mutating func snapshot(of stream: Int64) throws -> JournalRow.Record? {
    try snapshots.next(of: stream).map { try Self.record($0.rows, $0.row) }
  }

  mutating func event(
    of stream: Int64
  ) throws -> (record: JournalRow.Record, answer: JournalRow.Answer?)? {
    try events.next(of: stream).map { (try Self.record($0.rows, $0.row), nil) }
  }

  mutating func answer(of stream: Int64) throws -> JournalRow.Answer? {
    try answers.next(of: stream).map { rows, row in
      JournalRow.Answer(
        of: stream, at: try rows.number(row, 1), try rows.number(row, 2),
        to: try rows.number(row, 3), format: Int(try rows.number(row, 4)), try rows.text(row, 5))
    }
  }

  /// The columns `stream, seq, at, format, body`.
  private static func record(_ rows: PostgreSQLRows, _ row: Int) throws -> JournalRow.Record {
    JournalRow.Record(
      seq: try rows.number(row, 1), at: try rows.number(row, 2),
      format: Int(try rows.number(row, 3)), body: try rows.text(row, 4))
  }

  /// Walks through rows whose first column is the stream, in the order of the streams.
  private struct Cursor {
    private var rows: PostgreSQLRows?
    private var row = 0

    init(_ rows: PostgreSQLRows? = nil) {
      self.rows = rows
    }

    /// The next row of a stream; skips rows of streams before it.
    mutating func next(of stream: Int64) throws -> (rows: PostgreSQLRows, row: Int)? {
      guard let rows else { return nil }
      while row < rows.count {
        let found = try rows.number(row, 0)
        guard found <= stream else { return nil }
        row += 1
        if found == stream { return (rows, row - 1) }
      }
      return nil
    }
  }
}

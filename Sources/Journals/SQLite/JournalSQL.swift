/// The SQL statements for a journal's file.
///
/// Frequent ones are prepared once.
enum JournalSQL {
  /// Reads the index of live streams, and so skips ended ones.
  static let liveStreams = """
    SELECT id, kind, name, began, ended, sum FROM stream INDEXED BY live
    WHERE ended IS NULL ORDER BY id
    """
  static let stream = "SELECT id, kind, name, began, ended, sum FROM stream WHERE id = ?"
  // Live streams from ?1 to ?2, in order: one statement for a range, because starting a statement
  // costs more than reading its rows.
  static let liveSnapshots = """
    SELECT stream, seq, at, format, body, sum FROM snapshot
    WHERE stream BETWEEN ?1 AND ?2 ORDER BY stream
    """
  /// The events after the snapshot.
  ///
  /// For sessions also up to ?4 events before it, unless they are older than ?3.
  ///
  /// Selects devices if ?5 is true, and all other streams otherwise.
  static let liveEvents = """
    SELECT event.stream, \(eventColumns), \(eventAnswerColumns)
    FROM stream INDEXED BY alive LEFT JOIN snapshot ON snapshot.stream = stream.id
    CROSS JOIN event ON event.stream = stream.id AND event.seq > ifnull(
      snapshot.seq - iif(kind = 'session' AND snapshot.at >= ?3, ?4, 0), 0)
    WHERE ended IS NULL AND stream.id BETWEEN ?1 AND ?2 AND (kind = 'device') = ?5
      AND (event.at >= ?3 OR event.seq > ifnull(snapshot.seq, 0))
    ORDER BY stream.id, event.seq
    """
  static let liveAnswers = """
    SELECT stream, slot, number, request, format, body, sum FROM answer
    WHERE stream BETWEEN ?1 AND ?2 ORDER BY stream, slot
    """
  /// A recent answer's sum as stored in a ring; -1, which no sum equals, if its slot has changed.
  private static let recentSum = "iif(sum >> 32 = slot, sum & 4294967295, -1)"
  static let recentAnswers = """
    SELECT stream, slot, number, request, format, body, \(recentSum) FROM recent ORDER BY id
    """
  static let recentCount = "SELECT count(*) FROM recent"
  static let liveCount = "SELECT live FROM tally"
  static let latestSnapshot = "SELECT max(at) FROM snapshot"

  /// An event's columns.
  ///
  /// In a row with an answer, the event's sum is the lower half of the column.
  static let eventColumns = """
    event.seq, event.at, event.format, event.body,
    iif(event.device IS NULL, event.sum, event.sum & 4294967295)
    """
  /// The answer in an event's row, as stored in the device's ring.
  ///
  /// The upper half of `sum` is the answer's sum plus its slot, because the sum in a ring does not
  /// cover the slot.
  static let eventAnswerColumns = """
    event.device, event.slot, event.number, event.request, event.format, event.outcome,
    (event.sum >> 32) - event.slot & 4294967295
    """

  // Statements for one stream.
  static let snapshot = "SELECT seq, at, format, body, sum FROM snapshot WHERE stream = ?"
  static let events = """
    SELECT \(eventColumns) FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  /// Events with their answers, whose seven columns start at index 5.
  static let eventsWithAnswers = """
    SELECT \(eventColumns), \(eventAnswerColumns) FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  static let eventAnswers = """
    SELECT \(eventAnswerColumns) FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  /// The answers in events that the stream's snapshot does not include.
  static let unfiledAnswers = """
    SELECT \(eventAnswerColumns) FROM event
    WHERE stream = ?1 AND seq > ifnull((SELECT seq FROM snapshot WHERE stream = ?1), 0)
      AND device IS NOT NULL
    """
  /// A device's ring.
  static let filedAnswers = """
    SELECT stream, slot, number, request, format, body, sum FROM answer WHERE stream = ?
    ORDER BY number
    """
  static let allEvents = "SELECT stream, \(eventColumns), \(eventAnswerColumns) FROM event"
  static let allAnswers = "SELECT stream, slot, number, request, format, body, sum FROM answer"
  /// The last event of each of the most recently ended sessions.
  static let endings = """
    SELECT id, kind, name, began, ended, over.sum, \(eventColumns) FROM (
      SELECT id, kind, name, began, ended, sum FROM stream
      WHERE ended IS NOT NULL AND kind = 'session' ORDER BY ended DESC, id DESC LIMIT ?
    ) AS over
    JOIN event ON event.stream = over.id
      AND event.seq = (SELECT max(seq) FROM event WHERE stream = over.id)
    ORDER BY ended, id
    """
  static let latestEnd = "SELECT max(ended) FROM stream INDEXED BY over WHERE ended IS NOT NULL"

  static let usedBytes = """
    SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size
    """
  static let begin = "BEGIN IMMEDIATE"
  static let commit = "COMMIT"
  static let beginStream = """
    INSERT INTO stream (id, kind, name, began, ended, sum) VALUES (?, ?, ?, ?, NULL, ?)
    """
  /// The largest id ever used.
  ///
  /// Ids are not reused, because answers in events refer to devices by id.
  static let lastStream = """
    SELECT max(
      ifnull((SELECT max(id) FROM stream), 0), ifnull((SELECT last FROM tally WHERE id = 1), 0))
    """
  static let insertEvent = """
    INSERT INTO event (stream, seq, at, format, body, sum) VALUES (?, ?, ?, ?, ?, ?)
    """
  static let insertAnsweredEvent = """
    INSERT INTO event (stream, seq, at, format, body, sum, device, slot, number, request, outcome)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let replaceAnswer = """
    INSERT OR REPLACE INTO answer (stream, slot, number, request, format, body, sum)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  static let insertRecentAnswer = """
    INSERT INTO recent (stream, slot, number, request, format, body, sum)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  /// Moves answers in the order of the rings, so that each page is touched once.
  static let fileRecentAnswers = """
    INSERT INTO answer (stream, slot, number, request, format, body, sum)
    SELECT stream, slot, number, request, format, body, \(recentSum) FROM recent WHERE true
    ORDER BY stream, slot
    \(unlessLater)
    """
  /// Copies the answers in a stream's events after its snapshot and up to ?2.
  ///
  /// They belong to few devices and are already in order for each device, so sorting them would
  /// only cost time.
  static let fileAnswersOfEvents = """
    INSERT INTO answer (stream, slot, number, request, format, body, sum)
    SELECT \(eventAnswerColumns) FROM event
    WHERE stream = ?1 AND seq <= ?2
      AND seq > ifnull((SELECT seq FROM snapshot WHERE stream = ?1), 0)
      AND device IN (SELECT id FROM stream)
    \(unlessLater)
    """
  /// When two answers have the same slot, the one with the larger number wins.
  private static let unlessLater = """
    ON CONFLICT (stream, slot) DO UPDATE SET number = excluded.number, request = excluded.request,
      format = excluded.format, body = excluded.body, sum = excluded.sum
    WHERE excluded.number > answer.number
    """
  static let deleteRecentAnswers = "DELETE FROM recent"
  static let replaceSnapshot = """
    INSERT OR REPLACE INTO snapshot (stream, seq, at, format, body, sum) VALUES (?, ?, ?, ?, ?, ?)
    """
  static let endStream = "UPDATE stream SET kind = ?, ended = ?, sum = ? WHERE id = ?"
  static let setTally = "UPDATE tally SET live = ?, last = ?"

  static let deleteStream = "DELETE FROM stream WHERE id = ?"
  static let deleteEvents = "DELETE FROM event WHERE stream = ?"
  static let deleteSnapshot = "DELETE FROM snapshot WHERE stream = ?"
  static let deleteAnswers = "DELETE FROM answer WHERE stream = ?"
  static let deleteRecentAnswersOfStream = "DELETE FROM recent WHERE stream = ?"
  /// Deletes the oldest events first, at most 256 per snapshot.
  ///
  /// That is several times the number of events between two snapshots, and the cost does not grow
  /// with the stream.
  static let deleteOldEvents = """
    DELETE FROM event WHERE stream = ?1 AND at < ?3
      AND seq <= min(?2, 255 + (SELECT min(seq) FROM event WHERE stream = ?1))
    """
  static let oldStreams = "SELECT id FROM stream WHERE ended < ? ORDER BY ended LIMIT 16"

  static let clock = "SELECT boot, host, instant, sum FROM clock"
  static let setClock = """
    INSERT OR REPLACE INTO clock (id, boot, host, instant, sum) VALUES (1, ?, ?, ?, ?)
    """
  static let addNotice = "INSERT INTO notice (at, text) VALUES (?, ?)"
  static let notices = "SELECT at, text FROM notice ORDER BY id"
  /// Keeps the last hundred notices.
  static let deleteOldNotices = """
    DELETE FROM notice WHERE id <= (SELECT max(id) FROM notice) - 100
    """
}

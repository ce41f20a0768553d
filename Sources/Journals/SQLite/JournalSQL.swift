/// Every statement a journal's file is spoken to in; each is prepared once.
enum JournalSQL {
  /// By the index of the live ones: those that ended are not looked at.
  static let liveStreams = """
    SELECT id, kind, name, began, ended, sum FROM stream INDEXED BY live
    WHERE ended IS NULL ORDER BY id
    """
  static let stream = "SELECT id, kind, name, began, ended, sum FROM stream WHERE id = ?"
  // Of the live streams from ?1 to ?2, in their order: a statement for each costs more than its rows.
  static let liveSnapshots = """
    SELECT stream, seq, at, format, body, sum FROM snapshot
    WHERE stream BETWEEN ?1 AND ?2 ORDER BY stream
    """
  /// Behind the snapshot; of sessions also up to ?4 events before it, as far as they are not from
  /// before ?3.
  ///
  /// Of devices if ?5, else of all others.
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
  /// A recent answer's sum as its ring will have it; -1, which none is, if its place has changed.
  private static let recentSum = "iif(sum >> 32 = slot, sum & 4294967295, -1)"
  static let recentAnswers = """
    SELECT stream, slot, number, request, format, body, \(recentSum) FROM recent ORDER BY id
    """
  static let recentCount = "SELECT count(*) FROM recent"
  static let liveCount = "SELECT live FROM tally"
  static let latestSnapshot = "SELECT max(at) FROM snapshot"

  /// An event as it is written without an answer; with one, the sum's upper half is the answer's.
  static let eventColumns = """
    event.seq, event.at, event.format, event.body,
    iif(event.device IS NULL, event.sum, event.sum & 4294967295)
    """
  /// The answer in an event's row as its device's ring will have it.
  ///
  /// Its place, of which the sum in the ring says nothing, is added to the one here.
  static let eventAnswerColumns = """
    event.device, event.slot, event.number, event.request, event.format, event.outcome,
    (event.sum >> 32) - event.slot & 4294967295
    """

  // Of one stream.
  static let snapshot = "SELECT seq, at, format, body, sum FROM snapshot WHERE stream = ?"
  static let events = """
    SELECT \(eventColumns) FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  /// With the answers beside them, seven columns from the sixth on.
  static let eventsWithAnswers = """
    SELECT \(eventColumns), \(eventAnswerColumns) FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  static let eventAnswers = """
    SELECT \(eventAnswerColumns) FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  /// The answers in its events that its snapshot does not hold.
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
  /// The last events of the sessions that ended last.
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

  static let begin = "BEGIN IMMEDIATE"
  static let commit = "COMMIT"
  static let beginStream = """
    INSERT INTO stream (id, kind, name, began, ended, sum) VALUES (?, ?, ?, ?, NULL, ?)
    """
  /// No number is used again: answers in events name their devices by it.
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
  /// In the order of the rings, so that each page is touched once.
  static let fileRecentAnswers = """
    INSERT INTO answer (stream, slot, number, request, format, body, sum)
    SELECT stream, slot, number, request, format, body, \(recentSum) FROM recent WHERE true
    ORDER BY stream, slot
    \(unlessLater)
    """
  /// Those in a stream's events up to the one of number ?2, but for what a snapshot holds.
  ///
  /// They are of a few devices, each in order already: putting them in order would cost more.
  static let fileAnswersOfEvents = """
    INSERT INTO answer (stream, slot, number, request, format, body, sum)
    SELECT \(eventAnswerColumns) FROM event
    WHERE stream = ?1 AND seq <= ?2
      AND seq > ifnull((SELECT seq FROM snapshot WHERE stream = ?1), 0)
      AND device IN (SELECT id FROM stream)
    \(unlessLater)
    """
  /// Of two answers for one place the later stays, whichever comes first.
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
  /// The oldest go first, and a few times as many as come between two snapshots: what one snapshot
  /// looks at does not grow with the stream.
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
  /// As many as somebody would read.
  static let deleteOldNotices = """
    DELETE FROM notice WHERE id <= (SELECT max(id) FROM notice) - 100
    """
}

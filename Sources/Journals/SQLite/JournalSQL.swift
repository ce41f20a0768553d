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
  static let liveEvents = """
    SELECT event.stream, event.seq, event.at, event.format, event.body, event.sum
    FROM stream INDEXED BY alive LEFT JOIN snapshot ON snapshot.stream = stream.id
    CROSS JOIN event ON event.stream = stream.id AND event.seq > ifnull(
      snapshot.seq - iif(kind = 'session' AND snapshot.at >= ?3, ?4, 0), 0)
    WHERE ended IS NULL AND stream.id BETWEEN ?1 AND ?2
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
  /// Whose answers are not all in their rings yet.
  static let recentStreams = "SELECT DISTINCT stream FROM recent"
  static let recentCount = "SELECT count(*) FROM recent"
  static let liveCount = "SELECT live FROM tally"
  static let latestSnapshot = "SELECT max(at) FROM snapshot"

  // Of one stream.
  static let snapshot = "SELECT seq, at, format, body, sum FROM snapshot WHERE stream = ?"
  static let events = """
    SELECT seq, at, format, body, sum FROM event WHERE stream = ? AND seq > ? ORDER BY seq
    """
  /// What is in the ring, but for what recent ones take the places of, and those.
  static let answers = """
    SELECT slot, number, request, format, body, sum FROM answer
    WHERE stream = ?1 AND slot NOT IN (SELECT slot FROM recent WHERE stream = ?1)
    UNION ALL
    SELECT slot, number, request, format, body, \(recentSum) FROM recent WHERE id IN (
      SELECT max(id) FROM recent WHERE stream = ?1 GROUP BY slot
    )
    ORDER BY number, slot
    """
  /// Where none is recent.
  static let filedAnswers = """
    SELECT slot, number, request, format, body, sum FROM answer WHERE stream = ? ORDER BY number
    """
  static let allAnswers = "SELECT stream, slot, number, request, format, body, sum FROM answer"
  /// The last events of the sessions that ended last.
  static let endings = """
    SELECT id, kind, name, began, ended, over.sum, seq, at, format, body, event.sum FROM (
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
  static let lastStream = "SELECT max(id) FROM stream"
  static let insertEvent = """
    INSERT INTO event (stream, seq, at, format, body, sum) VALUES (?, ?, ?, ?, ?, ?)
    """
  static let replaceAnswer = """
    INSERT OR REPLACE INTO answer (stream, slot, number, request, format, body, sum)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  static let insertRecentAnswer = """
    INSERT INTO recent (stream, slot, number, request, format, body, sum)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  /// In the order of the rings, so that each page is touched once; of two for one place the later
  /// stays.
  static let fileRecentAnswers = """
    INSERT OR REPLACE INTO answer (stream, slot, number, request, format, body, sum)
    SELECT stream, slot, number, request, format, body, \(recentSum) FROM recent
    ORDER BY stream, slot, id
    """
  static let deleteRecentAnswers = "DELETE FROM recent"
  static let replaceSnapshot = """
    INSERT OR REPLACE INTO snapshot (stream, seq, at, format, body, sum) VALUES (?, ?, ?, ?, ?, ?)
    """
  static let endStream = "UPDATE stream SET kind = ?, ended = ?, sum = ? WHERE id = ?"
  static let setTally = "UPDATE tally SET live = ?"

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

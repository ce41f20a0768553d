/// Every statement a journal's file is spoken to in; each is prepared once.
enum JournalSQL {
  static let liveStreams = """
    SELECT stream.id, kind, name, snapshot.seq, snapshot.format, snapshot.body
    FROM stream LEFT JOIN snapshot ON snapshot.stream = stream.id
    WHERE ended IS NULL ORDER BY stream.id
    """
  /// The events of all live streams behind their snapshots.
  static let events = """
    SELECT event.stream, event.seq, at, event.format, event.body
    FROM stream LEFT JOIN snapshot ON snapshot.stream = stream.id
    CROSS JOIN event ON event.stream = stream.id AND event.seq > ifnull(snapshot.seq, 0)
    WHERE ended IS NULL ORDER BY stream.id, event.seq
    """
  /// The answers of all live devices.
  static let answers = """
    SELECT answer.stream, number, request, format, body
    FROM stream CROSS JOIN answer ON answer.stream = stream.id
    WHERE ended IS NULL AND +kind = 'device' ORDER BY stream.id, slot
    """
  /// The last events of the sessions that ended last.
  static let endings = """
    SELECT name, format, body FROM (
      SELECT id, name, ended FROM stream
      WHERE ended IS NOT NULL AND kind = 'session' ORDER BY ended DESC LIMIT ?
    ) AS over
    JOIN event ON event.stream = over.id
      AND event.seq = (SELECT max(seq) FROM event WHERE stream = over.id)
    ORDER BY ended
    """
  static let latest = "SELECT max(at) FROM event"

  static let begin = "BEGIN IMMEDIATE"
  static let commit = "COMMIT"
  static let beginStream = "INSERT INTO stream (kind, name, began) VALUES (?, ?, ?)"
  static let insertEvent = """
    INSERT INTO event (stream, seq, at, format, body) VALUES (?, ?, ?, ?, ?)
    """
  static let replaceAnswer = """
    INSERT OR REPLACE INTO answer (stream, slot, number, request, format, body)
    VALUES (?, ?, ?, ?, ?, ?)
    """
  static let replaceSnapshot = """
    INSERT OR REPLACE INTO snapshot (stream, seq, format, body) VALUES (?, ?, ?, ?)
    """
  static let endStream = "UPDATE stream SET ended = ? WHERE id = ?"
  static let setAside = "UPDATE stream SET ended = ?, kind = 'unreadable ' || kind WHERE id = ?"

  static let deleteStream = "DELETE FROM stream WHERE id = ?"
  static let deleteEvents = "DELETE FROM event WHERE stream = ?"
  static let deleteSnapshot = "DELETE FROM snapshot WHERE stream = ?"
  static let deleteAnswers = "DELETE FROM answer WHERE stream = ?"
  /// Events up to a number that happened before an instant; of those after it, only the first is
  /// looked at, so that it costs no more as a stream grows.
  static let deleteOldEvents = """
    DELETE FROM event WHERE stream = ?1 AND seq <= ?2 AND seq < ifnull(
      (SELECT seq FROM event WHERE stream = ?1 AND at >= ?3 ORDER BY seq LIMIT 1), ?2 + 1)
    """
  static let oldStreams = "SELECT id FROM stream WHERE ended < ? ORDER BY ended LIMIT 16"

  static let clock = "SELECT boot, host, instant FROM clock"
  static let setClock = "INSERT OR REPLACE INTO clock (id, boot, host, instant) VALUES (1, ?, ?, ?)"
}

/// The statements of those who only read a journal's file.
enum ArchiveSQL {
  static let streams = "SELECT id, kind, name, began, ended, sum FROM stream ORDER BY id"
  static let events = """
    SELECT \(JournalSQL.eventColumns) FROM event WHERE stream = ? ORDER BY seq
    """

  static let eventCounts = """
    SELECT stream, count(*), min(seq), max(seq), max(at) FROM event GROUP BY stream
    """
  static let answerCounts = """
    SELECT stream, count(DISTINCT slot)
    FROM (
      SELECT stream, slot FROM answer UNION ALL SELECT stream, slot FROM recent
      UNION ALL SELECT device, slot FROM \(unfiledEvents)
    )
    GROUP BY stream
    """
  /// Events of which the answers are in no ring yet.
  private static let unfiledEvents = """
    stream INDEXED BY alive LEFT JOIN snapshot ON snapshot.stream = stream.id
    CROSS JOIN event ON event.stream = stream.id AND event.seq > ifnull(snapshot.seq, 0)
    WHERE ended IS NULL AND device IS NOT NULL
    """
  static let unfiledAnswers = "SELECT \(JournalSQL.eventAnswerColumns) FROM \(unfiledEvents)"
  /// Wherever they are by now.
  static let answersOfEvents = """
    SELECT \(JournalSQL.eventAnswerColumns) FROM event WHERE device IS NOT NULL
    """
  static let snapshots = "SELECT stream, seq FROM snapshot"
  static let formats = """
    SELECT format FROM event UNION SELECT format FROM snapshot UNION SELECT format FROM answer
    UNION SELECT format FROM recent
    """
  /// The first and the last event of every session that are still there.
  static let sessionEnds = """
    SELECT stream, \(JournalSQL.eventColumns) FROM event
    JOIN (
      SELECT stream AS id, min(seq) AS first, max(seq) AS last
      FROM event JOIN stream ON stream.id = event.stream WHERE kind = 'session' GROUP BY stream
    ) ON stream = id AND (seq = first OR seq = last)
    ORDER BY stream, seq
    """

  static let integrity = "PRAGMA integrity_check"
  /// Rows of no stream, by the table they stand in.
  static let strays = """
    SELECT 'event', count(*) FROM event WHERE stream NOT IN (SELECT id FROM stream)
    UNION ALL
    SELECT 'snapshot', count(*) FROM snapshot WHERE stream NOT IN (SELECT id FROM stream)
    UNION ALL
    SELECT 'answer', count(*) FROM answer WHERE stream NOT IN (SELECT id FROM stream)
    UNION ALL
    SELECT 'recent', count(*) FROM recent WHERE stream NOT IN (SELECT id FROM stream)
    """

  static let isEmpty = """
    SELECT NOT EXISTS (SELECT 1 FROM stream) AND NOT EXISTS (SELECT 1 FROM event)
      AND NOT EXISTS (SELECT 1 FROM snapshot) AND NOT EXISTS (SELECT 1 FROM answer)
      AND NOT EXISTS (SELECT 1 FROM recent)
    """
}

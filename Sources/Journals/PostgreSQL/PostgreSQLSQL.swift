/// The statements for a journal in PostgreSQL.
enum PostgreSQLSQL {
  /// The 30 parameters are ``PostgreSQLBatch/values(_:by:retention:)``.
  static let append =
    "SELECT matinee.append(\((1...30).map { "$\($0)" }.joined(separator: ", ")))"

  /// The bytes of all tables and their indexes.
  static let size = """
    SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'matinee' AND c.relkind = 'r'
    """

  /// Settings of the writer's connection.
  ///
  /// A call that was begun is never cut off, since its outcome would be unknown, and its commit
  /// waits for the disk and for standbys. The server notices within ten seconds that this machine
  /// has vanished, and frees the writer's lock.
  static let settings = """
    SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0;
    SET synchronous_commit = on; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2;
    SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000;
    """

  /// Waits for the writer's lock; a server that has just ended frees it within moments.
  static let lock = """
    SET lock_timeout = '3s';
    SELECT pg_advisory_lock(\(PostgreSQLLock.family), \(PostgreSQLLock.writer));
    SET lock_timeout = 0;
    """
  /// Ends the connections that hold the writer's lock.
  static let endHolders = """
    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE \(isWritersLock) AND pid <> pg_backend_pid()
    """
  static let holders = "SELECT count(*) FROM pg_locks WHERE \(isWritersLock)"
  private static let isWritersLock = """
    locktype = 'advisory' AND classid = \(PostgreSQLLock.family) AND objid = \(PostgreSQLLock.writer)
    AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  /// Takes the journal over; it waits until a batch that is under way has ended.
  static let takeOver = """
    WITH taken AS (UPDATE matinee.pulse SET owner = $1, beat = beat + 1, link = NULL WHERE id = 1)
    UPDATE matinee.node SET owner = $1, incarnation = incarnation + 1 WHERE id = 1
    RETURNING incarnation, batch, last_stream
    """
  /// The same for the server that has it already; no row if another one has it.
  static let resume = """
    UPDATE matinee.node SET incarnation = incarnation + 1 WHERE id = 1 AND owner = $1
    RETURNING incarnation
    """
  /// The same from the server $2, if its pulse still stands at $3; no row if it does not.
  static let take = """
    WITH taken AS (
      UPDATE matinee.pulse SET owner = $1, beat = beat + 1, link = NULL
      WHERE id = 1 AND owner = $2 AND beat = $3 RETURNING 1)
    UPDATE matinee.node SET owner = $1, incarnation = incarnation + 1
    WHERE id = 1 AND owner = $2 AND EXISTS (SELECT 1 FROM taken) RETURNING 1
    """
  /// Gives the journal back, so that a server that stands by need not wait.
  static let giveBack = """
    WITH given AS (UPDATE matinee.pulse SET owner = 0, link = NULL WHERE id = 1 AND owner = $1)
    UPDATE matinee.node SET owner = 0 WHERE id = 1 AND owner = $1
    """
  /// Shows that the server $1 lives, takes links at $4, or nowhere, and has the access $5, if that is
  /// known.
  ///
  /// It returns the database's time of day in microseconds; no row if another server has the journal.
  static let beat = """
    UPDATE matinee.pulse SET beat = beat + 1, boot = $2, host = $3, told = clock_timestamp(),
      link = nullif($4, ''), access = nullif($5, '')
    WHERE id = 1 AND owner = $1
    RETURNING (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    """
  static let look = """
    SELECT owner, beat, (\(holders)), coalesce(link, ''), coalesce(access, '')
    FROM matinee.pulse WHERE id = 1
    """
  /// The group's time by the database's clock: what the last server's clock shows now, in
  /// microseconds.
  static let groupTime = """
    SELECT c.instant + (p.host - c.host)
      + (extract(epoch FROM clock_timestamp() - p.told) * 1000000)::bigint
    FROM matinee.pulse p JOIN matinee.clock c ON c.boot = p.boot
    """
  static let setClock = """
    INSERT INTO matinee.clock (id, boot, host, instant) VALUES (1, $1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET boot = excluded.boot, host = excluded.host,
      instant = excluded.instant
    """
  static let secrets = "SELECT name, body FROM matinee.secret"
  static let addSecret =
    "INSERT INTO matinee.secret (name, body) VALUES ($1, $2) ON CONFLICT DO NOTHING"
  static let replaceSecret = "UPDATE matinee.secret SET body = $2 WHERE name = $1"
  static let clock = "SELECT boot, host, instant FROM matinee.clock"

  static let liveStreams =
    "SELECT id, kind, name, began FROM matinee.stream WHERE ended IS NULL ORDER BY id"
  // Live streams from $1 to $2, as in ``JournalSQL``.
  static let liveSnapshots = """
    SELECT stream, seq, at, format, body FROM matinee.snapshot
    WHERE stream BETWEEN $1 AND $2 ORDER BY stream
    """
  /// The events after the snapshot; for sessions also up to $4 events before it, unless they are
  /// older than $3.
  static let liveEvents = """
    SELECT e.stream, e.seq, e.at, e.format, e.body
    FROM matinee.stream s LEFT JOIN matinee.snapshot p ON p.stream = s.id
    JOIN matinee.event e ON e.stream = s.id AND e.seq > coalesce(
      p.seq - CASE WHEN s.kind = 'session' AND p.at >= $3 THEN $4 ELSE 0 END, 0)
    WHERE s.ended IS NULL AND s.id BETWEEN $1 AND $2
      AND (e.at >= $3 OR e.seq > coalesce(p.seq, 0))
    ORDER BY e.stream, e.seq
    """
  static let liveAnswers = """
    SELECT stream, slot, number, request, format, body FROM matinee.answer
    WHERE stream BETWEEN $1 AND $2 ORDER BY stream, slot
    """
  static let latestSnapshot = "SELECT max(at) FROM matinee.snapshot"
  /// The last event of each of the most recently ended sessions.
  static let endings = """
    SELECT over.name, e.format, e.body FROM (
      SELECT id, name, ended, last FROM matinee.stream
      WHERE ended IS NOT NULL AND kind = 'session' ORDER BY ended DESC, id DESC LIMIT $1
    ) AS over JOIN matinee.event e ON e.stream = over.id AND e.seq = over.last
    ORDER BY over.ended, over.id
    """
  static let latestEnd = "SELECT max(ended) FROM matinee.stream WHERE ended IS NOT NULL"
  static let setAside = """
    UPDATE matinee.stream SET kind = 'unreadable ' || kind, ended = $2 WHERE id = $1
    """
  static let addNotice = "INSERT INTO matinee.notice (at, text) VALUES ($1, $2)"
  static let deleteOldNotices = """
    DELETE FROM matinee.notice WHERE id <= (SELECT max(id) FROM matinee.notice) - 100
    """
}

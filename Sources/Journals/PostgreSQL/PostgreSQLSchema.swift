import PostgreSQL

/// The tables and functions of a journal in PostgreSQL, in a schema of their own, `matinee`.
///
/// | table | holds |
/// |---|---|
/// | `stream` | the life of each aggregate: its kind and name, its last event, when it began and ended |
/// | `event` | a stream's events by number |
/// | `snapshot` | the last state kept of a live stream |
/// | `answer` | each device's remembered answers, in a ring |
/// | `clock` | the boot of the machine to which the group's time was last tied |
/// | `secret` | the keys that the servers of the journal share, in Base64URL |
/// | `notice` | reports for people of streams that were set aside |
/// | `node` | the server that writes, the incarnation of its connection, and its last batch |
/// | `pulse` | whether that server lives: its last beat, by its machine's clock and the database's; where it takes links; and how people prove there who they are |
/// | `version` | how many of the migrations were applied |
///
/// A row has no sum, unlike one in a file: PostgreSQL checks its pages itself if the cluster was
/// made with checksums (`initdb --data-checksums`).
///
/// Every batch is one call of the function `append`, which is one transaction. It names the writer's
/// incarnation, so that a server that another one has replaced changes nothing any more. And it has
/// a number, so that a batch whose answer got lost is sent again, and is kept once.
enum PostgreSQLSchema {
  /// The statements that lead from each version to the next.
  ///
  /// Only added to: databases have run those that are here.
  private static let migrations = [tables + erase + append, link, access]

  /// The version that this build reads and writes.
  static var currentVersion: Int { migrations.count }

  /// The version of a database; 0 if it has no journal yet.
  static func version(of connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    let found = try connection.run("SELECT count(*) FROM pg_tables WHERE \(isVersionTable)")
    guard try found.number(0, 0) > 0 else { return 0 }
    return Int(try connection.run("SELECT number FROM matinee.version").number(0, 0))
  }

  private static let isVersionTable = "schemaname = 'matinee' AND tablename = 'version'"

  /// Brings a database to the current version, all or nothing.
  ///
  /// - Returns: the version before.
  static func migrate(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    try connection.run("BEGIN")
    do {
      // Whoever else migrates waits here.
      try connection.run("SELECT pg_advisory_xact_lock(\(PostgreSQLLock.family), 0)")
      let version = try version(of: connection)
      if version < currentVersion {
        try connection.runScript(migrations[version...].joined(separator: "\n"))
        try connection.run("UPDATE matinee.version SET number = \(currentVersion)")
      }
      try connection.run("COMMIT")
      return version
    } catch {
      // If this fails, too, the connection is gone, and with it the transaction.
      _ = Result { try connection.run("ROLLBACK") }
      throw error
    }
  }

  private static let tables = """
    CREATE SCHEMA matinee;
    CREATE TABLE matinee.version (number int NOT NULL);
    INSERT INTO matinee.version VALUES (0);
    CREATE TABLE matinee.node (
      id int PRIMARY KEY, owner bigint NOT NULL, incarnation bigint NOT NULL,
      batch bigint NOT NULL, last_stream bigint NOT NULL);
    INSERT INTO matinee.node VALUES (1, 0, 0, 0, 0);
    CREATE TABLE matinee.pulse (
      id int PRIMARY KEY, owner bigint NOT NULL, beat bigint NOT NULL, boot text, host bigint,
      told timestamptz) WITH (fillfactor = 50);
    INSERT INTO matinee.pulse VALUES (1, 0, 0);
    CREATE TABLE matinee.stream (
      id bigint PRIMARY KEY, kind text NOT NULL, name text NOT NULL, last bigint NOT NULL,
      began bigint NOT NULL, ended bigint) WITH (fillfactor = 80);
    CREATE UNIQUE INDEX live ON matinee.stream (kind, name) WHERE ended IS NULL;
    CREATE INDEX alive ON matinee.stream (id) WHERE ended IS NULL;
    CREATE INDEX over ON matinee.stream (ended) WHERE ended IS NOT NULL;
    CREATE TABLE matinee.event (
      stream bigint, seq bigint, at bigint NOT NULL, format int NOT NULL, body text NOT NULL,
      PRIMARY KEY (stream, seq));
    CREATE TABLE matinee.snapshot (
      stream bigint PRIMARY KEY, seq bigint NOT NULL, at bigint NOT NULL, format int NOT NULL,
      body text NOT NULL);
    CREATE TABLE matinee.answer (
      stream bigint, slot bigint, number bigint NOT NULL, request bigint NOT NULL,
      format int NOT NULL, body text NOT NULL, PRIMARY KEY (stream, slot)) WITH (fillfactor = 70);
    CREATE TABLE matinee.clock (
      id int PRIMARY KEY CHECK (id = 1), boot text NOT NULL, host bigint NOT NULL,
      instant bigint NOT NULL);
    CREATE TABLE matinee.secret (name text PRIMARY KEY, body text NOT NULL);
    CREATE TABLE matinee.notice (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, text text NOT NULL);

    """

  private static let link = """
    ALTER TABLE matinee.pulse ADD COLUMN link text;

    """

  private static let access = """
    ALTER TABLE matinee.pulse ADD COLUMN access text;

    """

  private static let erase = """
    CREATE FUNCTION matinee.erase(p_stream bigint[]) RETURNS void LANGUAGE sql AS $$
      DELETE FROM matinee.event WHERE stream = ANY (p_stream);
      DELETE FROM matinee.snapshot WHERE stream = ANY (p_stream);
      DELETE FROM matinee.answer WHERE stream = ANY (p_stream);
      DELETE FROM matinee.stream WHERE id = ANY (p_stream);
    $$;

    """

  /// What `append` raises if a stream does not have the events that the batch follows.
  private static let gap = "MT001"
  /// What it raises if a stream that the batch begins is there already, because the end of the one
  /// before it is not (`unique_violation`).
  private static let duplicate = "23505"

  /// The codes of errors that mean that the database is not as the writer has left it.
  static let divergences = [gap, duplicate]

  /// Keeps a batch: 0 if it is kept, now or by an earlier call, -1 if another server writes.
  ///
  /// Raises one of ``divergences`` if the tables are not as the writer has left them. Its
  /// parameters are columns of rows, in the order of ``PostgreSQLBatch/values``. As in a file, a
  /// snapshot deletes at most 256 old events, and an end at most 16 old streams, so that no batch
  /// takes long.
  private static let append = """
    CREATE FUNCTION matinee.append(
      p_incarnation bigint, p_batch bigint, p_last bigint, p_format bigint, p_retention bigint,
      h_stream bigint[], h_after bigint[], h_count bigint[],
      e_stream bigint[], e_seq bigint[], e_at bigint[], e_body text[],
      s_stream bigint[], s_seq bigint[], s_at bigint[], s_body text[],
      x_stream bigint[], o_stream bigint[], o_at bigint[],
      b_stream bigint[], b_kind text[], b_name text[], b_last bigint[], b_began bigint[],
      b_ended bigint[],
      a_stream bigint[], a_slot bigint[], a_number bigint[], a_request bigint[], a_body text[]
    ) RETURNS int LANGUAGE plpgsql AS $$
    DECLARE hits bigint; latest bigint;
    BEGIN
      UPDATE matinee.node SET batch = p_batch, last_stream = p_last
        WHERE id = 1 AND incarnation = p_incarnation AND batch < p_batch;
      IF NOT FOUND THEN
        PERFORM 1 FROM matinee.node WHERE id = 1 AND incarnation = p_incarnation;
        RETURN CASE WHEN FOUND THEN 0 ELSE -1 END;
      END IF;
      IF cardinality(h_stream) > 0 THEN
        UPDATE matinee.stream s SET last = x.after + x.count
          FROM unnest(h_stream, h_after, h_count) AS x (stream, after, count)
          WHERE s.id = x.stream AND s.last = x.after AND s.ended IS NULL;
        GET DIAGNOSTICS hits = ROW_COUNT;
        IF hits < cardinality(h_stream) THEN
          RAISE EXCEPTION 'something else has written to the journal' USING ERRCODE = '\(gap)';
        END IF;
      END IF;
      INSERT INTO matinee.event (stream, seq, at, format, body)
        SELECT stream, seq, at, p_format, body
        FROM unnest(e_stream, e_seq, e_at, e_body) AS x (stream, seq, at, body);
      IF cardinality(s_stream) > 0 THEN
        INSERT INTO matinee.snapshot (stream, seq, at, format, body)
          SELECT stream, seq, at, p_format, body
          FROM unnest(s_stream, s_seq, s_at, s_body) AS x (stream, seq, at, body)
          ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, at = excluded.at,
            format = excluded.format, body = excluded.body;
        DELETE FROM matinee.event e USING unnest(s_stream, s_seq, s_at) AS x (stream, seq, at)
          WHERE e.stream = x.stream AND e.at < x.at - p_retention AND e.seq <= least(
            x.seq, 255 + (SELECT min(seq) FROM matinee.event WHERE stream = x.stream));
      END IF;
      IF cardinality(x_stream) > 0 THEN PERFORM matinee.erase(x_stream); END IF;
      IF cardinality(o_stream) > 0 THEN
        DELETE FROM matinee.snapshot WHERE stream = ANY (o_stream);
        UPDATE matinee.stream s SET ended = x.at
          FROM unnest(o_stream, o_at) AS x (stream, at) WHERE s.id = x.stream;
      END IF;
      INSERT INTO matinee.stream (id, kind, name, last, began, ended)
        SELECT * FROM unnest(b_stream, b_kind, b_name, b_last, b_began, b_ended);
      SELECT max(at) INTO latest FROM unnest(o_at || b_ended) AS x (at);
      IF latest IS NOT NULL THEN
        PERFORM matinee.erase(ARRAY(
          SELECT id FROM matinee.stream WHERE ended < latest - p_retention
          ORDER BY ended LIMIT 16));
      END IF;
      INSERT INTO matinee.answer (stream, slot, number, request, format, body)
        SELECT stream, slot, number, request, p_format, body
        FROM unnest(a_stream, a_slot, a_number, a_request, a_body)
          AS x (stream, slot, number, request, body)
        ON CONFLICT (stream, slot) DO UPDATE SET number = excluded.number,
          request = excluded.request, format = excluded.format, body = excluded.body;
      RETURN 0;
    END $$;

    """
}

/// PostgreSQL's advisory locks of a journal (`pg_advisory_lock(family, member)`).
enum PostgreSQLLock {
  /// A number that no other program is likely to use: "Mati" in ASCII.
  static let family = 0x4D61_7469
  /// Held by the connection of the server that writes.
  static let writer = 1
}

import GRDB

/// The tables of a journal's file, and the migration of older files.
///
/// | table | holds |
/// |---|---|
/// | `stream` | the life of each aggregate: its kind and name, and when it began and ended |
/// | `event` | a stream's events by number, each with the answer to its request |
/// | `snapshot` | the last state kept of a live stream |
/// | `answer` | each device's remembered answers, in a ring |
/// | `recent` | answers without events, in order of arrival, until they move to their rings |
/// | `clock` | the boot of the machine to which the group's time was last tied |
/// | `tally` | the number of live streams, which reveals lost rows, and the id of the latest stream |
/// | `notice` | reports for people of damage that was found and set aside |
///
/// Events are stored in the order of their keys (`WITHOUT ROWID`), so that a stream's events are
/// neighbours and an append touches one page. Each row has its ``RowSum``.
///
/// A device gets few answers among those of many devices. Writing each answer directly into its
/// ring would touch a page that no other row of the transaction touches, and the log takes whole
/// pages. So an answer is stored in the row of the first event that its request caused, which is
/// written anyway, until a snapshot includes the event. An answer without events is appended to
/// `recent`. From both places answers move to their rings in batches, those of one device side by
/// side.
enum JournalSchema {
  /// Marks a file as a journal of Matinee (`PRAGMA application_id`): "Mati" in ASCII.
  static let applicationID = 0x4D61_7469

  /// Whether a database is a journal or still empty.
  ///
  /// A journal whose mark is damaged is recognized by its tables.
  static func isJournal(_ database: Database) throws -> Bool {
    if try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID { return true }
    let tables = Set(
      try String.fetchAll(
        database,
        sql:
          "SELECT CAST(name AS TEXT) FROM sqlite_master WHERE type = 'table' AND name IS NOT NULL"))
    // The process may have stopped after it created GRDB's table and before it created ours.
    return tables.subtracting(["grdb_migrations"]).isEmpty
      || tables.isSuperset(of: ["stream", "event"])
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: first)
    }
    migrator.registerMigration("2") { database in
      try database.execute(sql: recentAnswers)
    }
    migrator.registerMigration("3") { database in
      try database.execute(sql: answersInEvents)
    }
    return migrator
  }

  /// Creates temporary views with which statements read an older file's tables in the current
  /// shape.
  ///
  /// They belong to this connection; the file does not change.
  static func showAsCurrent(_ database: Database) throws {
    let applied = try migrator.appliedIdentifiers(database)
    if !applied.contains("2") {
      try database.execute(
        sql: """
          CREATE TEMP VIEW recent AS SELECT 0 AS id, 0 AS stream, 0 AS slot, 0 AS number,
            0 AS request, 0 AS format, '' AS body, 0 AS sum WHERE false
          """)
    }
    if !applied.contains("3") {
      try database.execute(
        sql: """
          CREATE TEMP VIEW event AS SELECT *, NULL AS device, NULL AS slot, NULL AS number,
            NULL AS request, NULL AS outcome FROM main.event
          """)
    }
  }

  /// The first table or index whose definition differs from the applied migrations; `nil` if none
  /// does.
  ///
  /// Rows have sums, but definitions have none. If one letter of a definition changes, SQLite
  /// reports no error and reads wrong rows.
  static func changedDefinition(in database: Database) throws -> String? {
    let found = try definitions(database)
    let applied = try migrator.appliedIdentifiers(database)
    guard let last = migrator.migrations.last(where: applied.contains) else {
      return found.filter { !$0.isLibrarys }.map(\.name).min()
    }
    let made = try DatabaseQueue()
    try migrator.migrate(made, upTo: last)
    let wanted = try made.read { try definitions($0) }
    return found.symmetricDifference(wanted).map(\.name).min()
  }

  private static func definitions(_ database: Database) throws -> Set<Definition> {
    // Casts, because a damaged column may hold any type.
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT coalesce(CAST(name AS TEXT), ''), coalesce(CAST(tbl_name AS TEXT), ''),
          coalesce(type, '') || ' ' || coalesce(sql, '')
        FROM sqlite_master
        """)
    var definitions: Set<Definition> = []
    while let row = try rows.next() {
      definitions.insert(
        Definition(name: try row.text(0), table: try row.text(1), text: try row.text(2)))
    }
    return definitions
  }

  private struct Definition: Hashable {
    let name: String
    let table: String
    let text: String

    /// Whether it belongs to GRDB's table of applied migrations, which exists before ours.
    var isLibrarys: Bool { table == "grdb_migrations" }
  }

  /// Adds the answer to the request that caused an event, and the stream of its device.
  ///
  /// Ids of streams in answers must not be reused, so `last` holds the latest id.
  private static let answersInEvents = """
    ALTER TABLE event ADD COLUMN device INTEGER;
    ALTER TABLE event ADD COLUMN slot INTEGER;
    ALTER TABLE event ADD COLUMN number INTEGER;
    ALTER TABLE event ADD COLUMN request INTEGER;
    ALTER TABLE event ADD COLUMN outcome TEXT;
    ALTER TABLE tally ADD COLUMN last INTEGER NOT NULL DEFAULT 0;
    """

  private static let recentAnswers = """
    CREATE TABLE recent (
      id INTEGER PRIMARY KEY,
      stream INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      number INTEGER NOT NULL,
      request INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL,
      sum INTEGER NOT NULL
    );
    """

  private static let first = """
    CREATE TABLE stream (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      began INTEGER NOT NULL,
      ended INTEGER,
      sum INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX live ON stream (kind, name) WHERE ended IS NULL;
    CREATE INDEX alive ON stream (id) WHERE ended IS NULL;
    CREATE INDEX over ON stream (ended) WHERE ended IS NOT NULL;
    CREATE TABLE event (
      stream INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL,
      sum INTEGER NOT NULL,
      PRIMARY KEY (stream, seq)
    ) WITHOUT ROWID;
    CREATE TABLE snapshot (
      stream INTEGER PRIMARY KEY,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL,
      sum INTEGER NOT NULL
    );
    CREATE TABLE answer (
      stream INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      number INTEGER NOT NULL,
      request INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL,
      sum INTEGER NOT NULL,
      PRIMARY KEY (stream, slot)
    ) WITHOUT ROWID;
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot TEXT NOT NULL,
      host INTEGER NOT NULL,
      instant INTEGER NOT NULL,
      sum INTEGER NOT NULL
    );
    CREATE TABLE tally (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      live INTEGER NOT NULL
    );
    INSERT INTO tally (id, live) VALUES (1, 0);
    CREATE TABLE notice (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      text TEXT NOT NULL
    );
    """
}

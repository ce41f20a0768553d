import GRDB

/// The tables of a journal's file, and how an older file becomes a newer one.
///
/// | table | holds |
/// |---|---|
/// | `stream` | each aggregate's life: its kind and name, and when it began and ended |
/// | `event` | what happened in a stream, by number, and what the request was answered |
/// | `snapshot` | of a live stream, its last kept state |
/// | `answer` | of a device, its late answers in a ring |
/// | `recent` | the answers without events that are not in their rings yet, as they came |
/// | `clock` | which boot of the machine the group's time was last tied to |
/// | `tally` | how many streams are live, should rows vanish, and the number of the latest |
/// | `notice` | what was found damaged and set aside, for people |
///
/// Rows lie in the order of their keys (`WITHOUT ROWID`): a stream's events are neighbours, and an
/// append touches one page. Each row has its ``RowSum``.
///
/// An answer is one of a few that its device gets, among many devices: put into its ring at once, it
/// would touch a page that no other one of the transaction does, and each page goes through the log
/// whole. So it stands in the row of the first event that came of its request, which is written
/// anyway, until a snapshot holds that; without events, it stands in `recent`, behind the one before.
/// From there they go to their rings together, those of a device side by side.
enum JournalSchema {
  /// Marks a file as a journal of Matinee (`PRAGMA application_id`): "Mati" in ASCII.
  static let applicationID = 0x4D61_7469

  /// Whether a database is a journal, or nothing yet.
  ///
  /// A journal whose mark is damaged is still known by its tables.
  static func isJournal(_ database: Database) throws -> Bool {
    if try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID { return true }
    let tables = Set(
      try String.fetchAll(
        database,
        sql:
          "SELECT CAST(name AS TEXT) FROM sqlite_master WHERE type = 'table' AND name IS NOT NULL"))
    // Somebody may have been stopped between the first table, the library's own, and the others.
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

  /// Lets statements find an older file's tables as they are in this version, for this connection:
  /// nothing in the file changes.
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

  /// The first table or index that is not as the migrations made it, as far as they went; `nil` if
  /// all are.
  ///
  /// Rows have sums, and what they are read by has none: with one changed letter in a table's
  /// definition, SQLite finds nothing wrong and other rows.
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
    // Damaged, they may be anything.
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

    /// Whether it is of the table in which the library notes what was made; it comes before ours.
    var isLibrarys: Bool { table == "grdb_migrations" }
  }

  /// What the request that an event came of was answered, and which stream its device has.
  ///
  /// The numbers of streams that these name are not to be given again: `last` is the latest.
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

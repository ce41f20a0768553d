import GRDB

/// The tables of a journal's file, and how an older file becomes a newer one.
///
/// | table | holds |
/// |---|---|
/// | `stream` | each aggregate's life: its kind and name, and when it began and ended |
/// | `event` | what happened in a stream, by number |
/// | `snapshot` | of a live stream, its last kept state |
/// | `answer` | of a device, its late answers in a ring |
/// | `clock` | which boot of the machine the group's time was last tied to |
///
/// Rows lie in the order of their keys (`WITHOUT ROWID`): a stream's events are neighbours, and an
/// append touches one page.
enum JournalSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: first)
    }
    return migrator
  }

  private static let first = """
    CREATE TABLE stream (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      began INTEGER NOT NULL,
      ended INTEGER
    );
    CREATE UNIQUE INDEX live ON stream (kind, name) WHERE ended IS NULL;
    CREATE INDEX over ON stream (ended) WHERE ended IS NOT NULL;
    CREATE TABLE event (
      stream INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (stream, seq)
    ) WITHOUT ROWID;
    CREATE TABLE snapshot (
      stream INTEGER PRIMARY KEY,
      seq INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL
    );
    CREATE TABLE answer (
      stream INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      number INTEGER NOT NULL,
      request INTEGER NOT NULL,
      format INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (stream, slot)
    ) WITHOUT ROWID;
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot TEXT NOT NULL,
      host INTEGER NOT NULL,
      instant INTEGER NOT NULL
    );
    """
}

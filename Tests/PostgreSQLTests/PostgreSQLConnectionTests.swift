import DatabaseTesting
import PostgreSQL
import Testing

/// Connections to a real server.
@Suite struct PostgreSQLConnectionTests {
  private static func connect() throws -> PostgreSQLConnection {
    let server = try DatabaseServer.shared()
    return try PostgreSQLConnection(PostgreSQLAddress(server.address(of: "postgres")))
  }

  @Test func `values come back as they were sent`() throws {
    let connection = try Self.connect()
    let text = "Zoë's \\ \"film\"\n{a,b} 🎬"
    let rows = try connection.run(
      "SELECT $1 + 1, $2, array_to_string($3, ',', '-'), $4 [3]",
      [
        .number(.max - 1), .text(text), .numbers([1, nil, .min]), .texts(["", "a", text]),
      ])
    #expect(rows.count == 1)
    #expect(try rows.number(0, 0) == .max)
    #expect(try rows.text(0, 1) == text)
    #expect(try rows.text(0, 2) == "1,-,\(Int64.min)")
    #expect(try rows.text(0, 3) == text)
  }

  @Test func `empty texts and arrays are not null`() throws {
    let rows = try Self.connect().run(
      "SELECT $1, cardinality($2), cardinality($3)", [.text(""), .numbers([]), .texts([])])
    #expect(try rows.text(0, 0) == "")
    #expect(try rows.optionalNumber(0, 1) == 0 && rows.optionalNumber(0, 2) == 0)
  }

  @Test func `null is no number and no text`() throws {
    let rows = try Self.connect().run("SELECT NULL::bigint, 'x'")
    #expect(try rows.optionalNumber(0, 0) == nil)
    #expect(throws: PostgreSQLError.self) { try rows.number(0, 0) }
    #expect(throws: PostgreSQLError.self) { try rows.number(0, 1) }
  }

  @Test func `a row that is not there is an error`() throws {
    let rows = try Self.connect().run("SELECT 1 WHERE false")
    #expect(rows.count == 0)
    #expect(throws: PostgreSQLError.missingRow) { try rows.number(0, 0) }
    #expect(throws: PostgreSQLError.missingRow) { try rows.optionalNumber(0, 0) }
    #expect(throws: PostgreSQLError.missingRow) { try rows.text(0, 0) }
  }

  @Test func `a statement with a name is prepared once`() throws {
    let connection = try Self.connect()
    for number in 1...3 as ClosedRange<Int64> {
      let rows = try connection.run("SELECT $1 * 2", [.number(number)], preparedAs: "double")
      #expect(try rows.number(0, 0) == 2 * number)
    }
    #expect(try connection.run("SELECT count(*) FROM pg_prepared_statements").number(0, 0) == 1)
  }

  @Test func `what is refused says so, and the connection goes on`() throws {
    let connection = try Self.connect()
    let error = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1 / 0") }
    #expect(error?.outcome == .refused)
    #expect(error?.state == "22012")
    #expect(error?.description == "division by zero")
    #expect(connection.isOpen)
  }

  @Test func `a warning leaves the outcome unknown`() throws {
    let connection = try Self.connect()
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.runScript("DO $$ BEGIN RAISE WARNING 'not sure'; END $$")
    }
    #expect(error?.outcome == .unknown)
    #expect(error?.description == "not sure")
    try connection.runScript("DO $$ BEGIN RAISE NOTICE 'by the way'; END $$")
  }

  @Test func `a connection that the server ends leaves the outcome unknown`() throws {
    let connection = try Self.connect()
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
    }
    #expect(error?.outcome == .unknown)
    #expect(!connection.isOpen)
    #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
  }

  @Test func `a closed connection is free at the server and takes nothing more`() throws {
    let (connection, other) = (try Self.connect(), try Self.connect())
    try connection.run("SELECT pg_advisory_lock(7)")
    connection.close()
    connection.close()
    #expect(!connection.isOpen)
    let error = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
    #expect(error?.outcome == .unknown)
    // Waits until the server has noticed.
    try other.run("SELECT pg_advisory_lock(7)")
  }

  @Test func `who cannot be reached is named`() throws {
    let address = try PostgreSQLAddress("postgresql://127.0.0.1:1/nothing")
    let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(address) }
    #expect(error?.outcome == .refused)
    #expect(error?.description.contains("127.0.0.1") == true)
  }

  @Test func `an address is shown without its password`() throws {
    let address = try PostgreSQLAddress(
      "postgresql://ann:secret@one.example:5432,two.example:5433/matinee?sslmode=require")
    #expect(address.description == "postgresql://ann@one.example:5432,two.example:5433/matinee")
    let error = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLAddress("postgresql://ann@host/db?colour=red")
    }
    #expect(error?.description.contains("colour") == true)
  }

  @Test(arguments: [
    "postgresql://ann@one:1,two/db", "postgresql://[::1]:5433,127.0.0.1:5434/db",
    "postgresql://one,two/db", "postgresql://one:1/db", "postgresql:///db",
  ])
  func `an address is shown as it was given, each host with its port`(uri: String) throws {
    #expect(try PostgreSQLAddress(uri).description == uri)
  }

  @Test func `a port for all hosts is shown with each`() throws {
    let address = try PostgreSQLAddress("postgresql://one,two/db?port=5433")
    #expect(address.description == "postgresql://one:5433,two:5433/db")
  }
}

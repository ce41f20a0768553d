internal import CLibpq
internal import EventLoops

/// A connection to a database, by libpq.
///
/// Any thread may use it, one call after another; each call blocks until the server has answered.
/// A server that has vanished is given up after ten seconds, and one that hangs is waited for.
package final class PostgreSQLConnection: Sendable {
  /// Nil once closed.
  private let handle: Locked<Handle?>

  /// Opens a connection.
  ///
  /// - Throws: ``PostgreSQLError`` with the reason, also if no host takes writes.
  package init(_ address: PostgreSQLAddress) throws(PostgreSQLError) {
    handle = Locked(try Handle(address))
  }

  /// Whether it is usable; once false it stays so.
  package var isOpen: Bool { handle.withLock { $0?.isOpen == true } }

  /// Closes it, whoever else refers to it; a second call does nothing.
  package func close() { handle.withLock { $0 = nil } }

  /// Runs one statement.
  ///
  /// - Parameters:
  ///   - sql: the statement, with parameters `$1`, `$2` …
  ///   - values: its parameters.
  ///   - name: prepares the statement under this name at its first use.
  /// - Returns: its rows, with values as texts.
  /// - Throws: ``PostgreSQLError``.
  @discardableResult
  package func run(
    _ sql: String, _ values: [PostgreSQLValue] = [], preparedAs name: String? = nil
  ) throws(PostgreSQLError) -> PostgreSQLRows {
    try handle.withLock { handle in
      Result { () throws(PostgreSQLError) in
        try Self.open(handle).run(sql, values, preparedAs: name)
      }
    }.get()
  }

  /// Runs several statements as one transaction, without parameters.
  ///
  /// - Throws: ``PostgreSQLError``.
  package func runScript(_ sql: String) throws(PostgreSQLError) {
    try handle.withLock { handle in
      Result { () throws(PostgreSQLError) in try Self.open(handle).runScript(sql) }
    }.get()
  }

  private static func open(_ handle: Handle?) throws(PostgreSQLError) -> Handle {
    guard let handle else { throw PostgreSQLError(.unknown, "the connection is closed") }
    return handle
  }
}

/// libpq's connection, which ends with this object.
@safe private final class Handle {
  private let raw: OpaquePointer
  private var prepared: Set<String> = []
  /// The last warning since the current call began.
  ///
  /// A commit that waits for a standby in vain succeeds with a warning: it is not known to last
  /// (`SyncRepWaitForLSN` in PostgreSQL's source).
  fileprivate var warning: String?

  /// Settings that the URI may overrule, and those that it may not.
  ///
  /// Times are in seconds, but the last in milliseconds. A server that has vanished is noticed in
  /// about ten seconds, rather than in the system's quarter of an hour.
  private static func settings(_ address: PostgreSQLAddress) -> [(String, String)] {
    [
      ("connect_timeout", "3"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
      ("target_session_attrs", "read-write"), ("fallback_application_name", "matinee"),
      ("dbname", address.uri), ("client_encoding", "UTF8"),
    ]
  }

  init(_ address: PostgreSQLAddress) throws(PostgreSQLError) {
    let settings = Self.settings(address)
    let raw = unsafe withTexts(settings.map(\.0)) { keywords in
      unsafe withTexts(settings.map(\.1)) { values in
        unsafe PQconnectdbParams(keywords, values, 1)
      }
    }
    guard let raw = unsafe raw else { throw PostgreSQLError(.refused, "out of memory") }
    unsafe self.raw = raw
    guard isOpen else { throw PostgreSQLError(.refused, reason) }
    unsafe PQsetNoticeReceiver(
      raw,
      { own, notice in
        guard let own = unsafe own, let notice = unsafe notice else { return }
        let handle = unsafe Unmanaged<Handle>.fromOpaque(own).takeUnretainedValue()
        unsafe handle.take(notice)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    unsafe PQfinish(raw)
  }

  var isOpen: Bool { unsafe PQstatus(raw) == CONNECTION_OK }

  private var reason: String { unsafe String(cString: PQerrorMessage(raw)) }

  func run(
    _ sql: String, _ values: [PostgreSQLValue], preparedAs name: String?
  ) throws(PostgreSQLError) -> PostgreSQLRows {
    var types = values.map(\.type)
    if let name, !prepared.contains(name) {
      _ = try unsafe result(PQprepare(raw, name, sql, Int32(types.count), &types))
      prepared.insert(name)
    }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for value in values {
      bytes.append(value)
      ends.append(bytes.count)
    }
    // A pointer even for an empty text, because none means null.
    bytes.append(0)
    let starts = Array(([0] + ends).dropLast())
    var lengths = zip(starts, ends).map { Int32($1 - $0) }
    var formats = values.map { _ in Int32(1) }
    warning = nil
    let raw = unsafe bytes.withUnsafeBytes { buffer in
      let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe starts.map { start in unsafe base.map { unsafe $0 + start } }
      let count = Int32(values.count)
      if let name {
        return unsafe PQexecPrepared(self.raw, name, count, pointers, &lengths, &formats, 0)
      }
      return unsafe PQexecParams(
        self.raw, sql, count, &types, pointers, &lengths, &formats, 0)
    }
    return try unsafe result(raw)
  }

  func runScript(_ sql: String) throws(PostgreSQLError) {
    warning = nil
    _ = try unsafe result(PQexec(raw, sql))
  }

  private func result(_ raw: OpaquePointer?) throws(PostgreSQLError) -> PostgreSQLRows {
    guard let raw = unsafe raw else {
      throw PostgreSQLError(isOpen ? .refused : .unknown, reason)
    }
    let rows = unsafe PostgreSQLRows(raw)
    let status = unsafe PQresultStatus(raw)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      let state = unsafe Self.text(.state, of: raw)
      throw PostgreSQLError(
        isOpen ? .refused : .unknown, state: state ?? "",
        unsafe Self.text(.message, of: raw) ?? reason)
    }
    if let warning { throw PostgreSQLError(.unknown, warning) }
    return rows
  }

  private func take(_ notice: OpaquePointer) {
    guard unsafe Self.text(.severity, of: notice) == "WARNING" else { return }
    warning = unsafe Self.text(.message, of: notice) ?? "a warning without a text"
  }

  private static func text(_ field: Field, of result: OpaquePointer) -> String? {
    unsafe PQresultErrorField(result, Int32(field.rawValue)).map { unsafe String(cString: $0) }
  }
}

@available(*, unavailable)
extension Handle: Sendable {}

/// The fields of an error or a notice, by libpq's letters (`PG_DIAG_…` in `postgres_ext.h`).
private enum Field: UInt8 {
  /// The severity in English, whatever the server speaks.
  case severity = 0x56  // V
  case state = 0x43  // C
  case message = 0x4D  // M
}

/// Passes texts as C does: pointers, and a null at the end.
private func withTexts<Value>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  let bytes = texts.map { Array($0.utf8CString) }
  let flat = bytes.flatMap { $0 }
  return unsafe flat.withUnsafeBufferPointer { buffer in
    var pointers: [UnsafePointer<CChar>?] = unsafe []
    var start = 0
    for text in bytes {
      unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + start })
      start += text.count
    }
    unsafe pointers.append(nil)
    return unsafe body(pointers)
  }
}

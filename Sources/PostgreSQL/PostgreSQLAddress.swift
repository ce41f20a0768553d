internal import CLibpq

/// Where a database is: a connection URI of libpq, such as `postgresql://ann@db.example/matinee`.
///
/// Several hosts may be named: the one that takes writes is used. What the URI leaves out is taken
/// from libpq's environment variables and its password file (PostgreSQL's documentation, 34.1.1.2,
/// 34.15 and 34.16).
package struct PostgreSQLAddress: Equatable, Sendable, CustomStringConvertible {
  /// The URI, which may contain a password.
  let uri: String
  /// The URI for people, without a password.
  package let description: String

  /// Reads a URI.
  ///
  /// - Throws: ``PostgreSQLError`` if libpq cannot read it.
  package init(_ uri: String) throws(PostgreSQLError) {
    let fields = try Self.fields(of: uri)
    self.uri = uri
    let hosts = Self.hosts(fields["host"] ?? fields["hostaddr"] ?? "", fields["port"])
    let user = fields["user"].map { "\($0)@" } ?? ""
    description = "postgresql://\(user)\(hosts)/\(fields["dbname"] ?? "")"
  }

  /// Each host with its port, as in a URI.
  ///
  /// libpq has a list of hosts and one of ports, which is as long or has one port for all hosts.
  private static func hosts(_ hosts: String, _ ports: String?) -> String {
    let hosts = hosts.split(separator: ",", omittingEmptySubsequences: false)
    let ports = ports?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    return hosts.enumerated().map { place, host in
      let name = host.contains(":") ? "[\(host)]" : "\(host)"
      let port = ports.count == 1 ? ports[0] : place < ports.count ? ports[place] : ""
      return port.isEmpty ? name : "\(name):\(port)"
    }.joined(separator: ",")
  }

  /// The parameters that the URI names.
  private static func fields(of uri: String) throws(PostgreSQLError) -> [String: String] {
    var reason: UnsafeMutablePointer<CChar>?
    guard let options = unsafe PQconninfoParse(uri, &reason) else {
      let text = unsafe reason.map { unsafe String(cString: $0) } ?? "out of memory"
      unsafe PQfreemem(reason)
      throw PostgreSQLError(.refused, text)
    }
    defer { unsafe PQconninfoFree(options) }
    var fields: [String: String] = [:]
    var option = unsafe options
    // The list ends with an option without a name.
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe fields[String(cString: keyword)] = String(cString: value)
      }
      unsafe option += 1
    }
    return fields
  }
}

/// Why a server did not do what it was asked to do.
package struct PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Outcome: Sendable {
    /// Nothing was done.
    case refused
    /// It may have been done: the connection broke before the answer came, or the server doubts
    /// that it lasts.
    case unknown
  }

  package let outcome: Outcome
  /// The server's code (SQLSTATE, PostgreSQL's documentation, appendix A); empty if libpq gives the
  /// reason.
  package let state: String
  /// The reason, on one line.
  package let description: String

  package init(_ outcome: Outcome, state: String = "", _ text: String) {
    self.outcome = outcome
    self.state = state
    description = text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// A table has no row where one was asked for, as while a backup is being restored.
  ///
  /// Its code is SQL's for it, `no_data`.
  package static var missingRow: Self {
    Self(.refused, state: "02000", "a table lacks its rows; is a restore under way?")
  }
}

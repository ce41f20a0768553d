/// Which program serves.
package enum SyncplayServerProgram: Equatable, Sendable {
  /// Debian's `syncplay-server`: the reference.
  ///
  /// - Parameters:
  ///   - options: its own, as in `--isolate-rooms`.
  ///   - password: what clients have to say; not on its command line.
  ///   - salt: what the passwords of managed rooms are hashed with; nil is another each time.
  case reference(options: [String] = [], password: String? = nil, salt: String? = nil)
  /// `matinee serve --syncplay`.
  ///
  /// - Parameters:
  ///   - executable: the program `matinee`.
  ///   - options: more of its own.
  case matinee(executable: String, options: [String] = [])
  /// `bare-states`: plain C on plain libuv, which tells and hears States and does nothing with them.
  case bare(executable: String)

  /// What it is called in tables.
  package var name: String {
    switch self {
    case .reference: "syncplay-server"
    case .matinee: "matinee"
    case .bare: "bare libuv"
    }
  }

  var executable: String {
    switch self {
    case .reference: "syncplay-server"
    case .matinee(let executable, _), .bare(let executable): executable
    }
  }

  func arguments(port: UInt16) -> [String] {
    switch self {
    case .reference(let options, _, _): ["--port", "\(port)"] + options
    case .matinee(_, let options):
      ["serve", "--listen", "127.0.0.1:0", "--syncplay", "127.0.0.1:\(port)"]
        + ["--journal", "memory"] + options
    case .bare: ["\(port)"]
    }
  }

  var variables: [String: String] {
    guard case .reference(_, let password, let salt) = self else { return [:] }
    var variables = ["PYTHONUNBUFFERED": "1"]
    variables["SYNCPLAY_PASSWORD"] = password
    variables["SYNCPLAY_SALT"] = salt
    return variables
  }
}

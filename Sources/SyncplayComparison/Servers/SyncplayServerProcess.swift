package import EventLoops
package import Stages

/// A server with Syncplay's protocol as a child process, on a free port of the loopback interface.
///
/// It ends with this process. Confined to its loop's thread.
package final class SyncplayServerProcess {
  package let program: SyncplayServerProgram
  /// Its port for Syncplay's clients, on 127.0.0.1.
  package let port: UInt16
  /// Whether it accepts connections.
  package private(set) var isListening = false
  private let process: BoundProgram
  private var search: PatientConnect?
  private let onChange: () -> Void

  /// The longest time until it listens; it takes half a second on an idle machine.
  private static let patience = Duration.seconds(60)

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - program: the program to run.
  ///   - loop: the loop that watches it.
  ///   - onChange: called when it listens, when it writes and when it ends; not after ``close()``.
  package init(
    _ program: SyncplayServerProgram, on loop: EventLoop, onChange: @escaping () -> Void = {}
  ) throws(SyncplayProgramError) {
    self.program = program
    self.onChange = onChange
    do throws(EndpointError) {
      port = try FreePort.find(on: loop)
    } catch {
      throw .endpoint(error)
    }
    do throws(UVError) {
      process = try BoundProgram(
        program.executable, program.arguments(port: port), variables: program.variables, on: loop,
        onChange: onChange)
    } catch {
      throw .cannotStart(program.name, error)
    }
    search = PatientConnect(
      to: .tcp(host: "127.0.0.1", port: port), within: Self.patience, on: loop
    ) { [weak self] result in
      self?.take(result)
    }
  }

  /// Its processor time and memory, from the system's accounting; `nil` once it has ended.
  package var usage: ProcessUsage? { process.id.map { ProcessUsage(of: $0) } }

  /// Whether it has ended.
  package var hasEnded: Bool { process.ending != nil }

  /// The port of `matinee` for native clients, on 127.0.0.1; `nil` until it listens, and for other
  /// servers.
  package var nativePort: UInt16? {
    let line = words.split(separator: "\n").first { $0.contains("] listening") }
    let address = line?.split(separator: "address=").last?.prefix { $0 != " " }
    return address?.split(separator: ":").last.flatMap { UInt16($0) }
  }

  /// The end of its output.
  package var words: String { process.words }

  /// Ends the process; a second call does nothing.
  package func close() {
    search?.cancel()
    search = nil
    process.end { $0.kill(.terminate) }
  }

  private func take(_ result: Result<ByteStream, EndpointError>) {
    search = nil
    guard case .success(let stream) = result else { return onChange() }
    stream.close()
    isListening = true
    onChange()
  }
}

@available(*, unavailable)
extension SyncplayServerProcess: Sendable {}

/// The server program to run.
package enum SyncplayServerProgram: Equatable, Sendable {
  /// Debian's `syncplay-server`: the reference.
  ///
  /// - Parameters:
  ///   - options: its command-line options, such as `--isolate-rooms`.
  ///   - password: the password for clients; it is not on the command line.
  ///   - salt: the salt for passwords of managed rooms; `nil` makes a new one each time.
  case reference(options: [String] = [], password: String? = nil, salt: String? = nil)
  /// `matinee serve --syncplay`.
  ///
  /// - Parameters:
  ///   - executable: the path of `matinee`.
  ///   - options: additional command-line options.
  case matinee(executable: String, options: [String] = [])
  /// `bare-states`: plain C on plain libuv, which sends and reads States without any logic.
  case bare(executable: String)

  /// Its name in tables.
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

/// Why a server or a client cannot be started.
package enum SyncplayProgramError: Error, Equatable, CustomStringConvertible {
  /// It is not installed, or the system does not start it.
  case cannotStart(String, UVError)
  case endpoint(EndpointError)
  /// The directory for a client's files cannot be made; the text says why.
  case directory(String)

  /// The server with that name has no native clients.
  case noNatives(String)

  /// What happened and what to do, for the user.
  package var description: String {
    switch self {
    case .cannotStart(let name, let error):
      "\(name) cannot be started (\(error)); scripts/setup installs it"
    case .endpoint(let error): "\(error)"
    case .noNatives(let name): "\(name) serves only clients of Syncplay's"
    case .directory(let reason): "a client of Syncplay's has no place for its files: \(reason)"
    }
  }
}

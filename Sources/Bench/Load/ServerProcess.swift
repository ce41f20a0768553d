import EventLoops
import Journals
import Stages
import TLS
import Vocabulary

/// A server under test: a program of the same build, on a port that the system chose.
///
/// Confined to its loop's thread.
final class ServerProcess: ChildProcessDelegate {
  /// The program to run, and how its port is read from its output.
  enum Program {
    /// A server with a memory journal.
    case matinee
    /// The same, with encryption.
    case encrypted
    /// The same as `matinee`, reached over WebSocket.
    case web
    /// A server with a durable journal.
    case durable(path: String, Durability)
    /// A server whose journal is in PostgreSQL.
    case database(address: String)
    /// The same, which takes people in for another server if that one has the journal.
    case cluster(address: String)
    case bareRelay
    /// This program, with a coordinator that knows this many people.
    case people(Int)

    var name: String {
      switch self {
      case .matinee, .encrypted, .web, .durable, .database, .cluster: "matinee"
      case .bareRelay: "bare-relay"
      case .people: "matinee-bench"
      }
    }

    /// What its peers' lines travel in.
    var carriage: Carriage {
      switch self {
      case .web: .frames
      case .matinee, .encrypted, .durable, .database, .cluster, .bareRelay, .people: .lines
      }
    }

    /// The program's arguments; they make room for the largest crowd and leave all other settings
    /// at their defaults.
    fileprivate var arguments: [String] {
      switch self {
      case .matinee: Self.serve + ["--journal", "memory"]
      case .encrypted: Self.serve + ["--journal", "memory", "--tls-certificate", "own"]
      case .web: Program.matinee.arguments + ["--http", "127.0.0.1:0"]
      case .durable(let path, let durability):
        Self.serve + [
          "--journal", "sqlite:\(path)", "--durability", durability.rawValue,
          // Recovered participants are not reported as lost during the measurement.
          "--groups", "100000", "--resume-grace", "900",
        ]
      case .database(let address): Self.serve + ["--journal", address]
      case .cluster(let address):
        Program.database(address: address).arguments + ["--advertise", "127.0.0.1:0"]
      case .bareRelay: []
      case .people(let count): ["--people", "\(count)"]
      }
    }

    private static let serve = [
      "serve", "--listen", "127.0.0.1:0", "--peers", "12000", "--messages-per-second", "1000000",
      "--message-burst", "1000000", "--outbound-bytes", "67108864",
      "--user-cost-per-second", "1000000000000", "--user-cost-burst", "1000000000000",
      "--group-cost-per-second", "1000000000000", "--group-cost-burst", "1000000000000",
      "--user-journal-bytes", "1000000000000", "--group-journal-bytes", "1000000000000",
      "--journal-size", "1000000000000",
    ]

    fileprivate func port(in line: Substring) -> UInt16? {
      switch self {
      case .matinee, .encrypted, .durable, .database, .cluster:
        Self.port(of: "listening", in: line)
      case .web:
        Self.port(of: "serving browsers", in: line)
      case .bareRelay: UInt16(line)
      // It listens nowhere; any number means that it is ready.
      case .people: UInt16(line)
      }
    }

    /// The port in a line of the server's log that ends with this text.
    private static func port(of text: String, in line: Substring) -> UInt16? {
      guard line.hasSuffix(text) else { return nil }
      return line.firstMatch(of: #/address=127\.0\.0\.1:(\d+)/#).flatMap { UInt16($0.1) }
    }
  }

  let program: Program
  private(set) var port: UInt16 = 0
  /// The time from the start until it listened.
  private(set) var startTime = Duration.zero
  /// Which server may answer; `nil` for one that does not encrypt.
  private(set) var trust: TLSTrust?
  private(set) var hasEnded = false
  private let stage: Stage
  private var process: ChildProcess?
  private var isStopping = false
  private var written = ""

  /// Starts the program, and waits until it listens.
  init(_ program: Program, on stage: Stage) throws(BenchError) {
    self.program = program
    self.stage = stage
    let path = Self.path(of: program.name)
    let start = stage.loop.now
    do throws(UVError) {
      // The kernel kills the server when this program ends for any reason.
      process = try ChildProcess(
        executable: "setpriv", arguments: ["--pdeathsig", "KILL", path] + program.arguments,
        output: .piped, errorOutput: .piped, on: stage.loop, delegate: self)
    } catch {
      throw .cannotStart(path, error)
    }
    do throws(BenchError) {
      try stage.wait(for: "the start of \(program.name)") { port != 0 }
      startTime = stage.loop.now - start
    } catch {
      stop()
      throw error
    }
  }

  /// The path of a program of the same build, in the same directory as this one.
  static func path(of program: String) -> String {
    let path = CommandLine.arguments.first ?? ""
    return (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + program
  }

  /// Kills the process and waits for its end; a clean stop would first notify thousands of peers.
  func stop() {
    guard let process else { return }
    isStopping = true
    process.kill(.kill)
    stage.waitForEnd(of: self)
    process.close()
    self.process = nil
  }

  /// What a crowd needs of it.
  var running: RunningServer {
    RunningServer(
      program: program, port: port, trust: trust, usage: process.map { ProcessUsage(of: $0.id) })
  }

  /// The processor time used by its threads, in nanoseconds; exact while they are idle.
  func processorTime() throws(BenchError) -> Int { try running.processorTime() }

  /// The memory that the process has written to, in bytes.
  func writtenMemory() throws(BenchError) -> Int {
    let usage = try usage()
    do throws(ProcessUsage.Unreadable) {
      return try usage.writtenMemory()
    } catch {
      throw .unreadable(error.path)
    }
  }

  private func usage() throws(BenchError) -> ProcessUsage {
    guard let process else { throw .serverEnded(program.name, lastWords: written) }
    return ProcessUsage(of: process.id)
  }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    written += String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast() where port == 0 {
      if let key = Self.key(in: line) { trust = TLSTrust(key: key) }
      guard let found = program.port(in: line) else { continue }
      port = found
      stage.nudge()
    }
    // The end of the output is enough for an error message.
    written = String(written.suffix(1000))
  }

  /// The key that the server says it proves itself by.
  private static func key(in line: Substring) -> KeyFingerprint? {
    guard let digits = line.firstMatch(of: #/fingerprint=sha256:([0-9a-f]{64})/#)?.1 else {
      return nil
    }
    let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
    return KeyFingerprint(pairs.compactMap { UInt8($0, radix: 16) })
  }

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    hasEnded = true
    stage.nudge()
    if !isStopping {
      stage.fail(.serverEnded(program.name, lastWords: "\(ending) \(written)"))
    }
  }
}

@available(*, unavailable)
extension ServerProcess: Sendable {}

/// A running server as a crowd sees it, on any thread: where it is reached, and what it uses.
struct RunningServer: Sendable {
  let program: ServerProcess.Program
  let port: UInt16
  /// Which server may answer; `nil` for one that does not encrypt.
  let trust: TLSTrust?
  /// `nil` once it was stopped.
  fileprivate let usage: ProcessUsage?

  /// The processor time used by its threads, in nanoseconds; exact while they are idle.
  func processorTime() throws(BenchError) -> Int {
    guard let usage else { throw .serverEnded(program.name, lastWords: "it was stopped") }
    do throws(ProcessUsage.Unreadable) {
      return try usage.processorTime()
    } catch {
      throw .unreadable(error.path)
    }
  }
}

/// A server with sessions of one size, and a load for them.
///
/// Confined to its loop's thread.
struct LoadedServer {
  let load: SessionLoad
  private let server: ServerProcess

  /// Starts a server and fills its sessions.
  init(
    _ program: ServerProcess.Program, sessions count: Int, ofSize size: Int, on stage: Stage
  ) throws(BenchError) {
    server = try ServerProcess(program, on: stage)
    let sessions = SessionCrowd(at: server.running, on: stage, sessionSize: size)
    do throws(BenchError) {
      try sessions.grow(to: count * size)
    } catch {
      sessions.crowd.close()
      server.stop()
      throw error
    }
    load = SessionLoad(on: sessions, sessionSize: size)
  }

  func stop() {
    load.sessions.crowd.close()
    server.stop()
  }
}

/// Why a measurement failed.
enum BenchError: Error, CustomStringConvertible {
  case timedOut(String)
  case interrupted
  case cannotStart(String, UVError)
  case serverEnded(String, lastWords: String)
  case cannotConnect(EndpointError)
  case broken(StreamError)
  case refused(String)
  case unreadable(String)
  case journal(String)
  case incomparable(String)

  var description: String {
    switch self {
    case .timedOut(let what): "\(what) took too long: the machine is too busy, or something hangs"
    case .interrupted: "interrupted"
    case .cannotStart(let program, let error):
      "cannot start \(program): \(error); build it first: scripts/bench does"
    case .serverEnded(let program, let lastWords): "\(program) ended too early: \(lastWords)"
    case .cannotConnect(let error): "\(error)"
    case .broken(let error): "a connection broke: \(error)"
    case .refused(let line): "the server refused a request: \(line)"
    case .unreadable(let path): "cannot read \(path), which Linux has"
    case .journal(let reason): "a journal for the measurement could not be made: \(reason)"
    case .incomparable(let reason): reason
    }
  }
}

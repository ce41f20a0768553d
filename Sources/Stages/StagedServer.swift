package import EventLoops

/// A `matinee serve` as a child process.
final class StagedServer: ChildProcessDelegate {
  private(set) var port: UInt16?
  private(set) var ending: ChildProcess.Ending?
  /// The end of its log, for the report if it dies.
  private(set) var lastWords = ""
  /// Whether the scenario killed it.
  private(set) var isKilled = false
  private var process: ChildProcess?
  /// Called when it starts listening and when it ends.
  private let onChange: () -> Void

  /// The number of characters of its log that are kept; enough to explain why it ended.
  private static let wordsMaximum = 4096

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - executable: the program `matinee`.
  ///   - port: the port to listen on; 0 for a free one.
  ///   - files: the server's arguments and files.
  ///   - loop: the loop that watches the process.
  ///   - onChange: called when it starts listening and when it ends.
  init(
    _ executable: String, port: UInt16 = 0, files: ServerFiles, on loop: EventLoop,
    onChange: @escaping () -> Void
  ) throws(UVError) {
    self.onChange = onChange
    process = try ChildProcess(
      executable: executable,
      arguments: ["serve", "--listen", "127.0.0.1:\(port)"] + files.arguments,
      environment: files.environment, output: .ignored, errorOutput: .piped, on: loop,
      delegate: self)
  }

  func stop(_ signal: Signal) { process?.kill(signal) }

  /// Kills it with SIGKILL, as the scenario demands.
  func kill() {
    isKilled = true
    process?.kill(.kill)
  }

  func close() {
    process?.close()
    process = nil
  }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    lastWords.append(bytes, keepingLast: Self.wordsMaximum)
    guard port == nil, let line = lastWords.split(separator: "\n").first(where: isListening) else {
      return
    }
    let address = line.split(separator: "address=").last?.prefix { $0 != " " }
    port = address?.split(separator: ":").last.flatMap { UInt16($0) }
    onChange()
  }

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
    onChange()
  }

  private func isListening(_ line: Substring) -> Bool {
    line.contains("listening") && line.contains("address=")
  }
}

@available(*, unavailable)
extension StagedServer: Sendable {}

/// Finds a free loopback port for a program that cannot report a port of its own choice.
///
/// The port is outside Linux's ephemeral range. Otherwise another program could get it between the
/// check and the moment the program listens, and clients would connect to the wrong program.
package enum FreePort {
  /// Below `net.ipv4.ip_local_port_range`, which begins at 32768 by default (ip(7)), and above the
  /// ports of most services.
  package static let candidates: Range<UInt16> = 20_000..<32_768
  /// How many ports are tried; if all of these are taken, something else is wrong.
  private static let attempts = 100

  /// Finds a free port.
  ///
  /// - Parameters:
  ///   - loop: the loop that tries to listen.
  ///   - numbers: the random numbers that choose the candidates.
  /// - Throws: why the last candidate was not free, if 100 were not.
  package static func find(
    on loop: EventLoop, from numbers: inout some RandomNumberGenerator
  ) throws(EndpointError) -> UInt16 {
    for _ in 1..<attempts {
      let port = UInt16.random(in: candidates, using: &numbers)
      do throws(EndpointError) {
        return try tryOut(port, on: loop)
      } catch {
        continue
      }
    }
    return try tryOut(UInt16.random(in: candidates, using: &numbers), on: loop)
  }

  /// Finds a free port at random.
  package static func find(on loop: EventLoop) throws(EndpointError) -> UInt16 {
    var numbers = SystemRandomNumberGenerator()
    return try find(on: loop, from: &numbers)
  }

  private static func tryOut(
    _ port: UInt16, on loop: EventLoop
  ) throws(EndpointError) -> UInt16 {
    let listener = try TCPListener(host: "127.0.0.1", port: port, on: loop, delegate: Nobody())
    defer { listener.close() }
    return listener.localPort
  }

  private final class Nobody: TCPListenerDelegate {
    func listener(_ listener: TCPListener, didAccept stream: ByteStream) { stream.close() }
    func listener(_ listener: TCPListener, didFail error: UVError) {}
  }
}

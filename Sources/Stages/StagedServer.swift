package import EventLoops
import Vocabulary

/// A `matinee serve` of our own, as a child process.
final class StagedServer: ChildProcessDelegate {
  private(set) var port: UInt16?
  private(set) var ending: ChildProcess.Ending?
  /// What it last said, for the report if it dies.
  private(set) var lastWords = ""
  /// Whether its end is part of the scenario.
  private(set) var isKilled = false
  private var process: ChildProcess?
  /// Called at each change of the above.
  private let onChange: () -> Void

  /// As much of its log is kept as explains an end.
  private static let wordsMaximum = 4096

  /// Starts one.
  ///
  /// - Parameters:
  ///   - executable: the program `matinee`.
  ///   - port: where it listens; 0 is a free one.
  ///   - files: what it works with.
  ///   - loop: where it is watched.
  ///   - onChange: called as it listens, and as it ends.
  init(
    _ executable: String, port: UInt16 = 0, files: ServerFiles, on loop: EventLoop,
    onChange: @escaping () -> Void
  ) throws(UVError) {
    self.onChange = onChange
    process = try ChildProcess(
      executable: executable,
      arguments: ["serve", "--listen", "127.0.0.1:\(port)"] + files.arguments,
      output: .ignored, errorOutput: .piped, on: loop, delegate: self)
  }

  func stop(_ signal: Signal) { process?.kill(signal) }

  /// Ends it without a word, as the scenario has it.
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
    var text: [UInt8] = []
    for index in bytes.indices { text.append(bytes[index]) }
    lastWords = String(
      (lastWords + String(decoding: text, as: UTF8.self)).suffix(Self.wordsMaximum))
    guard port == nil, let line = lastWords.split(separator: "\n").first(where: isListening) else {
      return
    }
    let address = line.split(separator: "address=").last?.prefix { $0 != " " }
    port = address?.split(separator: ":").last.flatMap { UInt16($0) }
    onChange()
  }

  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

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

/// A port of loopback for a program that does not say which one it takes if it may choose.
///
/// It is none of those that Linux hands out as it comes: between the moment one was found free and
/// the moment the program listens, it may go to somebody else, and everybody would talk with them.
package enum FreePort {
  /// Below `net.ipv4.ip_local_port_range`, which begins at 32768 unless somebody changed it (ip(7)),
  /// and above most services.
  package static let candidates: Range<UInt16> = 20_000..<32_768
  /// How many may be taken before something else must be wrong.
  private static let attempts = 100

  /// Finds one.
  ///
  /// - Parameters:
  ///   - loop: where they are tried.
  ///   - numbers: which ones are tried.
  /// - Throws: why the last one was not free, if a hundred were not.
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

  /// Finds one, any of them.
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

package import EventLoops
internal import Foundation
package import LoopTesting

/// The built `matinee`, started like by a person.
///
/// It is killed when this object is released.
package final class Program {
  private let record = Record()
  private let process: ChildProcess

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after the program's name.
  ///   - executable: another program, by path or name; nil means `matinee`.
  ///   - environment: all its variables; nil passes on the test's.
  ///   - test: the loop that watches it.
  ///   - takesInput: whether its standard input is a pipe.
  package init(
    _ arguments: [String], of executable: String? = nil, environment: [String: String]? = nil,
    on test: TestLoop, takesInput: Bool = false
  ) throws {
    let arguments = executable == nil ? Self.withPatience(arguments) : arguments
    process = try ChildProcess(
      executable: try executable ?? Self.path, arguments: arguments, environment: environment,
      input: takesInput ? .piped : .ignored,
      output: .piped, errorOutput: .piped, on: test.loop, delegate: record)
  }

  /// The path of the built program, beside the tests' executable.
  package static var path: String { get throws { try path(of: "matinee") } }

  /// The path of a program of this package.
  package static func path(of name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path()
  }

  /// Runs the program to its end.
  package static func run(
    _ arguments: [String], of executable: String? = nil, environment: [String: String]? = nil,
    within limit: Duration = TestLoop.patience, on test: TestLoop
  ) throws -> Program {
    let program = try Program(arguments, of: executable, environment: environment, on: test)
    try test.run(within: limit) { program.hasEnded }
    return program
  }

  /// The arguments, with a time limit for commands that ask a server.
  ///
  /// Their own limit is for people, and too short for a busy machine.
  private static func withPatience(_ arguments: [String]) -> [String] {
    let asks =
      ["status", "admin", "drain", "push", "invite", "pair"].contains(arguments.first)
      || arguments.starts(with: ["campaigns", "explain"])
    let isLeft = !arguments.contains("--timeout") && !arguments.contains("--help")
    return asks && isLeft ? arguments + ["--timeout", "150"] : arguments
  }

  /// Starts a server and waits until it listens or has ended.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 means a free one.
  ///   - descriptors: the most descriptors it may open; nil means the test's limit.
  ///   - wrapper: a program with arguments that starts it, such as `prlimit --fsize=1000`.
  ///   - limit: how long to wait.
  /// - Returns: the server and its port, which is 0 if it does not listen.
  package static func serve(
    _ options: [String] = [], host: String = "127.0.0.1", port: UInt16 = 0,
    descriptors: Int? = nil, by wrapper: [String] = [], within limit: Duration = TestLoop.patience,
    on test: TestLoop
  ) throws -> (server: Program, port: UInt16) {
    let server = try start(
      options, host: host, port: port, descriptors: descriptors, by: wrapper, on: test)
    return (server, try server.awaitListening(within: limit, on: test))
  }

  /// Starts a server that stands by, and waits until it does or has ended.
  package static func standBy(
    _ options: [String], by wrapper: [String] = [], within limit: Duration = TestLoop.patience,
    on test: TestLoop
  ) throws -> Program {
    let server = try start(options + ["--standby"], by: wrapper, on: test)
    try test.run(within: limit) {
      server.errorOutput.contains("standing by") || server.hasEnded
    }
    return server
  }

  /// Waits until the server listens or has ended.
  ///
  /// - Returns: its port, which is 0 if it does not listen.
  package func awaitListening(
    within limit: Duration = TestLoop.patience, on test: TestLoop
  ) throws -> UInt16 {
    try test.run(within: limit) { [self] in errorOutput.contains("] listening") || hasEnded }
    return port(of: "] listening") ?? 0
  }

  /// The port in the server's last log line with these words; `nil` if there is none.
  package func port(of words: String) -> UInt16? {
    let line = errorOutput.split(separator: "\n").last { $0.contains(words) }
    let address = line?.split(separator: "address=").last?.prefix { $0 != " " }
    return address?.split(separator: ":").last.flatMap { UInt16($0) }
  }

  private static func start(
    _ options: [String], host: String = "127.0.0.1", port: UInt16 = 0, descriptors: Int? = nil,
    by wrapper: [String], on test: TestLoop
  ) throws -> Program {
    let endpoint = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    // Keeps away from the journal of the person who runs the tests.
    let journal = options.contains("--journal") ? [] : ["--journal", "memory"]
    let arguments = ["serve", "--listen", endpoint] + journal + options
    if let descriptors {
      return try Program(
        ["-c", startWithDescriptors, "\(descriptors)", try path] + arguments, of: "bash", on: test)
    }
    guard let program = wrapper.first else { return try Program(arguments, on: test) }
    return try Program(wrapper.dropFirst() + [try path] + arguments, of: program, on: test)
  }

  /// Starts a program with a limit of descriptors.
  ///
  /// It inherits the limits of the shell, and none of the descriptors that other tests of this
  /// process left open to their programs.
  private static let startWithDescriptors = """
    for path in /proc/self/fd/*; do
      descriptor=${path##*/}
      [ "$descriptor" -le 2 ] || exec {descriptor}>&-
    done
    ulimit -n "$0" && exec "$@"
    """

  /// Its standard output.
  package var output: String { record.output }
  /// The lines of its standard output.
  package var lines: [Substring] { output.split(separator: "\n") }
  /// Its standard error.
  package var errorOutput: String { record.errorOutput }
  /// How it ended; `nil` while it runs.
  package var ending: ChildProcess.Ending? { record.ending }
  /// Whether it has ended and all its output was read.
  package var hasEnded: Bool { record.ending != nil && record.openOutputs == 0 }
  /// The pipe to its standard input, if it has one.
  package var input: ByteStream? { process.standardInput }
  /// Its process id.
  package var id: Int32 { process.id }

  package func kill(_ signal: Signal) { process.kill(signal) }

  deinit {
    process.kill(.kill)
    process.close()
  }

  private final class Record: ChildProcessDelegate {
    var output = ""
    var errorOutput = ""
    var ending: ChildProcess.Ending?
    var openOutputs = 2

    func childProcess(
      _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
    ) {
      var text: [UInt8] = []
      for index in bytes.indices { text.append(bytes[index]) }
      switch output {
      case .output: self.output += String(decoding: text, as: UTF8.self)
      case .errorOutput: errorOutput += String(decoding: text, as: UTF8.self)
      }
    }

    func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {
      openOutputs -= 1
    }

    func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
      self.ending = ending
    }
  }
}

@available(*, unavailable)
extension Program: Sendable {}

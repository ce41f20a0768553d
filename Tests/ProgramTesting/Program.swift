package import EventLoops
internal import Foundation
package import LoopTesting

/// The built `matinee`, started as a person starts it.
///
/// It is killed, should it still run, when the test lets go of it.
package final class Program {
  private let record = Record()
  private let process: ChildProcess

  /// Starts it with these arguments.
  ///
  /// - Parameters:
  ///   - arguments: without the program's own name.
  ///   - executable: another program, by path or by name; nil is `matinee` itself.
  ///   - environment: all its variables; nil passes on the test's.
  ///   - test: where it is watched.
  ///   - takesInput: whether there is a pipe into it.
  package init(
    _ arguments: [String], of executable: String? = nil, environment: [String: String]? = nil,
    on test: TestLoop, takesInput: Bool = false
  ) throws {
    process = try ChildProcess(
      executable: try executable ?? Self.path, arguments: arguments, environment: environment,
      input: takesInput ? .piped : .ignored,
      output: .piped, errorOutput: .piped, on: test.loop, delegate: record)
  }

  /// Where the program was built: beside the tests themselves.
  package static var path: String { get throws { try path(of: "matinee") } }

  /// Where a program of this package was built.
  package static func path(of name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path()
  }

  /// Runs it to its end.
  package static func run(
    _ arguments: [String], of executable: String? = nil, environment: [String: String]? = nil,
    within limit: Duration = TestLoop.patience, on test: TestLoop
  ) throws -> Program {
    let program = try Program(arguments, of: executable, environment: environment, on: test)
    try test.run(within: limit) { program.hasEnded }
    return program
  }

  /// Starts a server and waits until it listens, or has ended.
  ///
  /// - Parameters:
  ///   - port: where it listens; 0 is a free one.
  ///   - descriptors: how many it may open, at the most; nil is what the test may.
  ///   - wrapper: a program and arguments, such as `prlimit --fsize=1000`, that start it.
  ///   - limit: how long it is waited for.
  /// - Returns: the server, and its port; 0 if it does not listen.
  package static func serve(
    _ options: [String] = [], host: String = "127.0.0.1", port: UInt16 = 0,
    descriptors: Int? = nil, by wrapper: [String] = [], within limit: Duration = TestLoop.patience,
    on test: TestLoop
  ) throws -> (server: Program, port: UInt16) {
    let endpoint = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    // Not where the person who runs the tests keeps things.
    let journal = options.contains("--journal") ? [] : ["--journal", "memory"]
    let arguments = ["serve", "--listen", endpoint] + journal + options
    let server =
      if let descriptors {
        // The shell's own limit, the soft and the hard one, is what the program inherits.
        try Program(
          ["-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\"", try path] + arguments, of: "sh",
          on: test)
      } else if let program = wrapper.first {
        try Program(wrapper.dropFirst() + [try path] + arguments, of: program, on: test)
      } else {
        try Program(arguments, on: test)
      }
    try test.run(within: limit) {
      server.errorOutput.contains("] listening") || server.hasEnded
    }
    let address = server.errorOutput.split(separator: "address=").last?.prefix { $0 != " " }
    let port = address?.split(separator: ":").last.flatMap { UInt16($0) }
    return (server, port ?? 0)
  }

  /// What it wrote.
  package var output: String { record.output }
  /// What it wrote, line by line.
  package var lines: [Substring] { output.split(separator: "\n") }
  /// What it wrote to its standard error.
  package var errorOutput: String { record.errorOutput }
  /// How it ended, if it has.
  package var ending: ChildProcess.Ending? { record.ending }
  /// Whether it has ended, and all it wrote was read.
  package var hasEnded: Bool { record.ending != nil && record.openOutputs == 0 }
  /// The pipe into it, if there is one.
  package var input: ByteStream? { process.standardInput }
  /// The system's number for it.
  package var id: Int32 { process.id }

  /// Sends it a signal.
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

import EventLoops
import Foundation
import LoopTesting

/// The built `matinee`, started as a person starts it.
///
/// It is killed, should it still run, when the test lets go of it.
final class Program {
  private let record = Record()
  private let process: ChildProcess

  /// Starts it with these arguments.
  init(
    _ arguments: [String], of executable: String? = nil, on test: TestLoop,
    takesInput: Bool = false
  ) throws {
    process = try ChildProcess(
      executable: try executable ?? Self.path, arguments: arguments,
      input: takesInput ? .piped : .ignored,
      output: .piped, errorOutput: .piped, on: test.loop, delegate: record)
  }

  /// Where the program was built: beside the tests themselves.
  static var path: String {
    get throws {
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: tests).deletingLastPathComponent().appending(path: "matinee").path()
    }
  }

  /// Runs it to its end.
  static func run(_ arguments: [String], on test: TestLoop) throws -> Program {
    let program = try Program(arguments, on: test)
    try test.run { program.hasEnded }
    return program
  }

  /// Starts a server on a free port and waits until it listens.
  static func serve(_ options: [String] = [], host: String = "127.0.0.1", on test: TestLoop) throws
    -> (server: Program, port: UInt16)
  {
    let endpoint = host.contains(":") ? "[\(host)]:0" : "\(host):0"
    let server = try Program(["serve", "--listen", endpoint] + options, on: test)
    try test.run { server.errorOutput.contains("] listening") || server.hasEnded }
    let address = server.errorOutput.split(separator: "address=").last?.prefix { $0 != " " }
    let port = address?.split(separator: ":").last.flatMap { UInt16($0) }
    return (server, port ?? 0)
  }

  var output: String { record.output }
  var errorOutput: String { record.errorOutput }
  var ending: ChildProcess.Ending? { record.ending }
  var hasEnded: Bool { record.ending != nil && record.openOutputs == 0 }
  var input: ByteStream? { process.standardInput }

  func kill(_ signal: Signal) { process.kill(signal) }

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

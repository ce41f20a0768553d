import EventLoops
import Foundation
import LoopTesting

/// `matinee demo` as a person starts it, run to its end.
final class DemoProgram: ChildProcessDelegate {
  private(set) var output = ""
  private(set) var errorOutput = ""
  private(set) var ending: ChildProcess.Ending?
  private var openOutputs = 2

  /// Where the program was built: beside the tests themselves.
  static var path: String {
    get throws {
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: tests).deletingLastPathComponent().appending(path: "matinee").path()
    }
  }

  init(
    _ arguments: [String], on test: TestLoop, within limit: Duration = .seconds(60)
  ) throws {
    let process = try ChildProcess(
      executable: try Self.path, arguments: ["demo"] + arguments, output: .piped,
      errorOutput: .piped, on: test.loop, delegate: self)
    defer {
      process.kill(.kill)
      process.close()
    }
    try test.run(within: limit) { self.ending != nil && self.openOutputs == 0 }
  }

  var lines: [Substring] { output.split(separator: "\n") }

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

@available(*, unavailable)
extension DemoProgram: Sendable {}

import ArgumentParser
import EventLoops
import Server
import Vocabulary

/// Which server is asked, and for how long.
struct ServerArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The server's address.", valueName: "host:port"))
  var server = "127.0.0.1:7878"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "s"))
  var timeout = 5.0

  func validate() throws {
    _ = try endpoint()
    guard timeout > 0, timeout <= 3600 else {
      throw ValidationError("--timeout must be more than 0 and at most 3600, not \(timeout)")
    }
  }

  private func endpoint() throws -> ServerConfiguration.Endpoint {
    guard let endpoint = ServerConfiguration.Endpoint(server) else {
      throw ValidationError("--server takes host:port, such as 127.0.0.1:7878, not \(server)")
    }
    return endpoint
  }

  /// Asks the server; what goes wrong is told, and ends the program.
  func ask<Topic: Question>(_ question: Topic, as user: UserID) throws -> Topic.Answer {
    let endpoint = try endpoint()
    ProcessSettings.ignoreBrokenPipes()
    let loop = try EventLoop()
    defer { loop.close() }
    let query = ServerQuery(
      question, of: endpoint, as: user, within: .microseconds(Int64(timeout * 1e6)), on: loop)
    switch try query.run() {
    case .success(let answer): return answer
    case .failure(let failure):
      var standardError = StandardError()
      print("matinee: \(failure.message.withoutControls)", to: &standardError)
      throw ExitCode(failure.exitCode)
    }
  }
}

import ArgumentParser
import EventLoops
import Server
import Vocabulary
import Wire

/// `matinee status`: asks a server what goes on.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a server's groups, sessions and participants.",
    discussion: """
      Where each participant's player is comes from its own last report, compared with where the \
      group was at that instant; the spread is the distance between the first and the last.

      Exit codes: 0 answered, 64 wrong usage, 69 no server there, 75 no answer in time.
      """)

  @Option(help: ArgumentHelp("The server's address.", valueName: "host:port"))
  var server = "127.0.0.1:7878"

  @Flag(help: "Print the server's answer as it is, a line of JSON for every hundred groups or so.")
  var json = false

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

  func run() throws {
    let endpoint = try endpoint()
    ProcessSettings.ignoreBrokenPipes()
    let loop = try EventLoop()
    defer { loop.close() }
    let query = StatusQuery(endpoint, within: .microseconds(Int64(timeout * 1e6)), on: loop)
    switch try query.run() {
    case .success(let answer):
      print(
        json ? answer.lines.joined(separator: "\n") : answer.report.text(of: server))
    case .failure(let failure):
      var standardError = StandardError()
      print("matinee: \(failure.message)", to: &standardError)
      throw ExitCode(failure.exitCode)
    }
  }
}

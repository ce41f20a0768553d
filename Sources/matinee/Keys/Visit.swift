import ArgumentParser
import EventLoops
import MatineeClient
import PushTransports
import Vocabulary

/// The server and the person of a command that shows a stored credential.
struct VisitArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The server's address.", valueName: "host:port"))
  var server = GroupPlace.standardServer

  @Option(name: .customLong("as"), help: ArgumentHelp("Your name.", valueName: "name"))
  var name: String?

  @OptionGroup var limit: TimeLimit

  @OptionGroup var securityArguments: SecurityArguments

  func validate() throws {
    _ = try endpoint()
    if let name { try checkOwnName(name) }
  }

  func endpoint() throws(ValidationError) -> Endpoint { try Endpoint(option: server) }

  /// The name, for commands that need one.
  func requiredName() throws(ValidationError) -> String {
    guard let name else { throw ValidationError("say who you are with --as") }
    return name
  }

  /// How the connection is protected; an error ends the program.
  ///
  /// - Parameter linked: what a link or the server's own file says about it.
  func security(linked: ConnectionSecurity? = nil) throws -> ServerSecurity {
    let endpoint = try endpoint()
    do throws(KeyFileError) {
      return try securityArguments.security(of: endpoint, linked: linked)
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  /// Connects with the stored credential; an error is printed and ends the program.
  func connect() async throws -> GroupWatchClient {
    ProcessSettings.ignoreBrokenPipes()
    let (endpoint, name) = (try endpoint(), try requiredName())
    var options = ClientOptions()
    options.connectTimeout = limit.duration
    let credential = try credential(at: endpoint, of: name)
    options.credential = { credential }
    let security = try security()
    options.security = security.security
    let client: GroupWatchClient
    do throws(GroupWatchError) {
      client = try await .connect(to: endpoint, as: Identity(atTerminal: name), options: options)
    } catch {
      throw error.code == .timedOut
        ? complaint(error.message, 69) : complaint(error.text(hasToken: false), 1)
    }
    try security.rememberOrComplain()
    return client
  }

  private func credential(at endpoint: Endpoint, of name: String) throws -> String {
    let stored: String?
    do throws(KeyFileError) {
      stored = try OwnCredential(at: endpoint, of: UserID(name)).stored()
    } catch {
      throw complaint("\(error)", 66)
    }
    guard let stored else {
      throw complaint(
        "\(endpoint) does not know \(name) from here; give --server as it stands in the "
          + "link that you joined with, or join with a link first: matinee join --help",
        66)
    }
    return stored
  }
}

/// Checks the value of `--as`.
///
/// Without a token, which names the person itself, the name is also the user, and a server bounds
/// it as an identifier.
func checkOwnName(_ name: String, hasToken: Bool = false) throws(ValidationError) {
  let longest = hasToken ? Limits().titleBytes : Limits().identifierBytes
  guard (1...longest).contains(name.utf8.count) else {
    throw ValidationError(
      "--as takes a name of 1 to \(longest) bytes, and this one has \(name.utf8.count)")
  }
}

extension GroupWatchClient {
  /// Ends a short visit.
  func endVisit() async { await leave(within: .seconds(1)) }
}
